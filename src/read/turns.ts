/**
 * Long work in slices: whoever has worked for a slice waits for its turn, and everything else that the process has to do
 * comes first. One slice runs between two rounds of the event loop, whoever's it is, so that many long answers at once do
 * not hold up a short one longer than a single one does (semantics 36).
 */

/** How long work may go on before it waits for its turn, in milliseconds. */
export const sliceMs = 4;

const waiting: (() => void)[] = [];

const admitNext = (): void => {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(admitNext);
};

/** Resolves when it is the caller's turn again. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(admitNext);
  });

/** Runs work that yields between its steps, a slice at a time; rejects when `signal` says that nobody waits for it. */
export const inTurns = async (work: Iterator<unknown>, signal?: AbortSignal): Promise<void> => {
  for (;;) {
    const end = performance.now() + sliceMs;
    do if (work.next().done) return;
    while (performance.now() < end);
    await turn();
    signal?.throwIfAborted();
  }
};
