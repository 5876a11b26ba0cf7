/**
 * Runs long work in time slices. Each turn of the event loop has one slice, which all work shares. After the slice is used up, work waits.
 * Owners take turns, so many responses of one owner delay another owner no more than one response does (contract: waiting).
 */
import { ApiError } from '../errors.ts';

/** The length of a time slice in milliseconds. Shorter slices cost more turns than they save. */
const sliceMs = 4;

let spent = 0;
let isArmed = false;

type Resume = () => void;

/** The waiting work of each owner. The owner that was served longest ago comes first. */
const waiting = new Map<unknown, Resume[]>();

/** Continues the oldest work of the next owner. */
const resumeNext = (): void => {
  const [first] = waiting;
  if (!first) return;
  const [owner, line] = first;
  const resume = line.shift();
  waiting.delete(owner);
  if (line.length > 0) waiting.set(owner, line);
  resume?.();
};

/** Begins a turn. */
const nextTurn = (): void => {
  isArmed = false;
  spent = 0;
  resumeNext();
  if (waiting.size > 0) arm();
};

const arm = (): void => {
  if (isArmed) return;
  isArmed = true;
  setImmediate(nextTurn);
};

/** Whether this turn's time slice is used up. */
export const isSliceUsedUp = (): boolean => spent >= sliceMs;

/** Subtracts the milliseconds of finished work from this turn's slice. */
export const useSlice = (milliseconds: number): void => {
  arm();
  spent += milliseconds;
};

/** Resolves when it is the turn of `owner`: a customer's id, or another owner of work. */
export const nextSlice = (owner: unknown): Promise<void> =>
  new Promise((resolve) => {
    const line = waiting.get(owner);
    if (line) line.push(resolve);
    else waiting.set(owner, [resolve]);
    arm();
  });

/** Runs `work` and subtracts its time from this turn's slice. */
export const spend = <T>(work: () => T): T => {
  const begun = performance.now();
  try {
    return work();
  } finally {
    useSlice(performance.now() - begun);
  }
};

/** Runs one short piece of work when the time slice of a turn has room for it. */
export const runInSlice = async <T>(owner: unknown, work: () => T): Promise<T> => {
  while (isSliceUsedUp()) await nextSlice(owner);
  return spend(work);
};

/** Runs work that yields between its steps, one time slice after the other. Throws `abandoned` when `signal` aborts. */
export const runInSlices = async (owner: unknown, work: Iterator<unknown>, signal?: { readonly aborted: boolean }): Promise<void> => {
  /** Whether the work is done before the slice ends. */
  const runSteps = () => {
    const end = performance.now() + sliceMs - spent;
    while (performance.now() < end) if (work.next().done) return true;
    return false;
  };
  while (!spend(runSteps)) {
    await nextSlice(owner);
    if (signal?.aborted) throw new ApiError('abandoned');
  }
};
