/**
 * Mutation testing: changes the sources one place at a time and reports each change that no test detects.
 *
 *   npm run mutation -- [--sample 20] [--seed 1] [--unit] [file …]
 *
 * `--sample` is the number of mutants per file, `--seed` selects others, `--unit` skips tests that need a database.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Mutant, mutantsOf } from './mutants.ts';
import { isUnitTest, Session } from './session.ts';
import { targets } from './targets.ts';

const { values, positionals } = parseArgs({
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' }, unit: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const files = positionals.length > 0 ? positionals : Object.keys(targets);
const unknown = files.filter((file) => !targets[file]);
if (unknown.length > 0) throw new Error(`Not in scripts/mutation/targets.ts: ${unknown.join(', ')}`);

/** A seeded random number generator (mulberry32). */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

const sampled = (mutants: readonly Mutant[], size: number): readonly Mutant[] => {
  const random = randomFrom(Number(values.seed));
  const chosen = new Set(
    mutants
      .map((mutant) => ({ mutant, rank: random() }))
      .sort((a, b) => a.rank - b.rank)
      .slice(0, size)
      .map(({ mutant }) => mutant),
  );
  return mutants.filter((mutant) => chosen.has(mutant));
};

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100);

const session = await Session.open(!values.unit);
const scores: string[] = [];
for (const file of files) {
  const tests = targets[file]!.filter((test) => !values.unit || isUnitTest(test));
  if (tests.length === 0) throw new Error(`${file} has no unit tests; run it without --unit.`);
  const broken = await session.failure(file, undefined, tests);
  if (broken) throw new Error(`Tests of ${file} fail without any mutant: ${broken}`);
  const all = mutantsOf(readFileSync(file, 'utf8'));
  const mutants = values.sample ? sampled(all, Number(values.sample)) : all;
  let killed = 0;
  for (const mutant of mutants) {
    if (await session.failure(file, mutant, tests)) killed++;
    else console.log(`survived ${file}:${mutant.line}  ${oneLine(mutant.original)}  =>  ${oneLine(mutant.replacement)}`);
  }
  scores.push(`| \`${file}\` | ${all.length} | ${mutants.length} | ${killed} | ${Math.round((100 * killed) / mutants.length)} % |`);
  console.log(scores.at(-1));
}
console.log(['', '| file | mutants | tried | killed | score |', '|---|---|---|---|---|', ...scores].join('\n'));
await session.close();
