/**
 * Runs long work in time slices. Each turn of the event loop has one slice, which all work shares. After the slice is used up, work waits.
 * Owners take turns, so many responses of one owner delay another owner no more than one response does (contract: waiting).
 *
 * The event loop accepts one connection in each turn, and a small request takes about five turns. So slices are short. While connections
 * arrive, work first waits for some milliseconds.
 */
import { ApiError } from '../errors.ts';
import { Rotation } from './rotation.ts';

/** The length of a time slice in milliseconds. */
const sliceMs = 1;
/** The maximum time in milliseconds that work waits for new connections. */
const acceptMs = 5;

let spent = 0;
let isArmed = false;
/** Whether a connection was accepted in this turn. */
let hasAccepted = false;
let acceptingSince: number | undefined;
/** The number of successive turns that accepted a connection. */
let acceptingRounds = 0;

type Resume = () => void;
const waiting = new Rotation<Resume>();

/** Light work for one turn. Receives the milliseconds since the last turn with work; returns whether more work remains. */
export type RoundWork = (sinceLast: number) => boolean;
const roundWorks = new Set<RoundWork>();
let lastWorkAt = performance.now();

/** Begins a turn: connections first, then the work of one owner. */
const nextRound = (): void => {
  isArmed = false;
  spent = 0;
  const now = performance.now();
  if (hasAccepted) acceptingSince ??= now;
  else acceptingSince = undefined;
  acceptingRounds = hasAccepted ? acceptingRounds + 1 : 0;
  const isDeferred = acceptingSince !== undefined && now - acceptingSince < acceptMs;
  hasAccepted = false;
  if (isDeferred) {
    arm();
    return;
  }
  if (acceptingSince !== undefined) acceptingSince = now;
  const sinceLast = now - lastWorkAt;
  for (const work of roundWorks) if (!work(sinceLast)) roundWorks.delete(work);
  waiting.next()?.();
  lastWorkAt = performance.now();
  if (waiting.size > 0 || roundWorks.size > 0 || acceptingSince !== undefined) arm();
};

const arm = (): void => {
  if (isArmed) return;
  isArmed = true;
  setImmediate(nextRound);
};

/** Records a new connection. More may be pending. */
export const recordConnection = (): void => {
  hasAccepted = true;
  arm();
};

/** Whether connections arrive in successive turns, so that new work should wait. For a single connection it need not. */
export const isAccepting = (): boolean => acceptingRounds > 1;

/** Calls `work` in the next turn, and again in each later turn while more work remains. */
export const inNextRound = (work: RoundWork): void => {
  roundWorks.add(work);
  arm();
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
    waiting.push(owner, resolve);
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
