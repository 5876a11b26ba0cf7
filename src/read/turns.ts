/**
 * Long work in slices: whoever has worked for a slice waits for its turn, and everything else that the process has to do
 * comes first. One slice runs between two rounds of the event loop, and whoever waits with many is served as often as
 * whoever waits with one, so that many long answers at once hold up nobody longer than a single one does (contract: waiting).
 */
import { ApiError } from '../errors.ts';

/** How long work may go on before it waits for its turn, in milliseconds. */
export const sliceMs = 4;

type Resume = () => void;

/** What waits, by whose it is; whoever was served longest ago comes first. */
const waiting = new Map<unknown, Resume[]>();

const admitNext = (): void => {
  const [next] = waiting;
  if (!next) return;
  const [owner, resumes] = next;
  const resume = resumes.shift()!;
  waiting.delete(owner);
  if (resumes.length > 0) waiting.set(owner, resumes);
  resume();
  if (waiting.size > 0) setImmediate(admitNext);
};

/** Resolves when it is the turn of `owner`: a customer's number, or whatever else the work is done for. */
export const turn = (owner: unknown): Promise<void> =>
  new Promise((resolve) => {
    const resumes = waiting.get(owner);
    if (resumes) resumes.push(resolve);
    else if (waiting.set(owner, [resolve]).size === 1) setImmediate(admitNext);
  });

/** Runs work that yields between its steps, a slice at a time. Throws `abandoned` when `signal` says that nobody waits for it. */
export const inTurns = async (owner: unknown, work: Iterator<unknown>, signal?: AbortSignal): Promise<void> => {
  for (;;) {
    const end = performance.now() + sliceMs;
    do if (work.next().done) return;
    while (performance.now() < end);
    await turn(owner);
    if (signal?.aborted) throw new ApiError('abandoned');
  }
};
