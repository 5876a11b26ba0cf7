/**
 * How much the exhaustive tests do, and from which seed. `vitest.config.ts` sets both: `SEED` is the number of the day, and `ROUNDS` the share
 * of the full number of rounds, such as 0.2 or 10.
 */
const share = Number(process.env.ROUNDS ?? 1);

/** The seed of this run. A failure is repeated with it (`report-seed.ts`). */
export const seed = Number(process.env.SEED ?? 1);

/** The seed of one of the rounds, which no round of another day has. */
export const seedOf = (round: number): number => seed * 100_003 + round;

/** The number of rounds in this run, of the full number. */
export const rounds = (full: number): number => Math.ceil(full * share);

/** The items of this run: all of them, or a share. Consecutive days have consecutive shares, so that none is left out. */
export const partOf = <T>(list: readonly T[]): readonly T[] => {
  const count = Math.min(list.length, rounds(list.length));
  return Array.from({ length: count }, (_, index) => list[(seed * count + index) % list.length]!);
};
