/**
 * Long work in slices: between two rounds of the event loop there is one slice for all of it together. Whoever comes when it
 * is spent waits for its turn, and everything else that the process has to do comes first. Whoever waits with many is served
 * as often as whoever waits with one, so that many answers at once hold up nobody longer than a single one does (contract:
 * waiting).
 */
import { ApiError } from '../errors.ts';
import type { AbandonSignal } from './queue.ts';

/** How long work may go on between two rounds, in milliseconds. */
const sliceMs = 4;

let spent = 0;
const refill = (): void => {
  spent = 0;
};

/** Whether this round's slice is used up. */
export const isSpent = (): boolean => spent >= sliceMs;

/** Takes from this round's slice what work has just cost, in milliseconds. */
export const spend = (milliseconds: number): void => {
  if (spent === 0) setImmediate(refill);
  spent += milliseconds;
};

type Resume = () => void;

/** What waits, by whose it is; whoever was served longest ago comes first. */
const waiting = new Map<unknown, Resume[]>();

const admitNext = (): void => {
  const [next] = waiting;
  if (!next) return;
  refill();
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
export const inTurns = async (owner: unknown, work: Iterator<unknown>, signal?: AbandonSignal): Promise<void> => {
  for (;;) {
    const begun = performance.now();
    const end = begun + sliceMs - spent;
    try {
      while (performance.now() < end) if (work.next().done) return;
    } finally {
      spend(performance.now() - begun);
    }
    await turn(owner);
    if (signal?.aborted) throw new ApiError('abandoned');
  }
};
