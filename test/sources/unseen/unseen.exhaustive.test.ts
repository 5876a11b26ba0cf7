/** Drafts of exports of invented programs that nobody has tuned the draft for: what they propose, what they ask, and what they get wrong. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { draftSource } from '../../../src/sources/draft/draft.ts';
import { onServer } from '../../support/database.ts';
import { rounds, seedOf } from '../../support/rounds.ts';
import { hasMariadb, mariadbWith, postgresWith } from '../databases.ts';
import { folderWith, removeFolders } from '../support.ts';
import { type Figures, measure } from './measure.ts';
import { programNames, unseenExport } from './programs.ts';
import type { Unseen } from './truth.ts';

/** What a draft must reach over all programs: shares of columns with a target that are found, and of proposals that are right. */
const floors = { recall: 0.5, precision: 0.93 } as const;

afterAll(removeFolders);

/** The figures of the draft of one export. */
const figuresOf = async (unseen: Unseen): Promise<Figures> => {
  const { database } = unseen;
  const folder = folderWith(Object.fromEntries(unseen.files));
  if (!database) return measure(unseen, folder, (await draftSource(folder)).text);
  const exported = await (database.type === 'mysql' ? mariadbWith : postgresWith)(database.statements);
  process.env.SOURCE_UNSEEN_URL = exported.address;
  try {
    const file = join(folder, 'erp.yml');
    writeFileSync(file, `databases:\n  erp: { type: ${database.type}, url: "\${SOURCE_UNSEEN_URL}" }\n`);
    return await measure(unseen, folder, (await draftSource(file)).text);
  } finally {
    await exported.drop();
  }
};

const sumOf = (
  all: readonly Figures[],
  figure: 'lists' | 'columns' | 'found' | 'proposed' | 'right' | 'questions' | 'wrongValues' | 'values',
) => all.reduce((sum, one) => sum + one[figure], 0);

const percent = (part: number, whole: number): string => (whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)} %`);

const inWords = (name: string, all: readonly Figures[]): string =>
  [
    name.padEnd(18),
    `recall ${percent(sumOf(all, 'found'), sumOf(all, 'columns'))}`,
    `precision ${percent(sumOf(all, 'right'), sumOf(all, 'proposed'))} of ${sumOf(all, 'proposed')}`,
    `${(sumOf(all, 'questions') / sumOf(all, 'lists')).toFixed(1)} questions per list`,
    `${sumOf(all, 'wrongValues')} of ${sumOf(all, 'values')} values wrong without a question`,
  ].join(', ');

const measured: Figures[] = [];
const words: string[] = [];
const count = rounds(5);

const isThere = (program: string): boolean => {
  const { database } = unseenExport(program, 1);
  return database === undefined || (database.type === 'mysql' ? hasMariadb : onServer);
};

for (const program of programNames)
  test.skipIf(!isThere(program))(`a draft of unseen exports: ${program}`, async () => {
    const all: Figures[] = [];
    for (let round = 0; round < count; round++) all.push(await figuresOf(unseenExport(program, seedOf(round))));
    measured.push(...all);
    words.push(inWords(program, all));
    const faults = [...new Set(all.flatMap((one) => one.faults))];
    if (process.env.FAULTS) console.log(`${program}\n  ${faults.join('\n  ')}`);
    expect(sumOf(all, 'wrongValues'), faults.slice(0, 20).join('\n')).toBe(0);
  });

test('drafts of unseen exports find most columns, and what they propose is right', () => {
  console.log([...words, inWords('all', measured)].join('\n'));
  expect(sumOf(measured, 'found') / sumOf(measured, 'columns')).toBeGreaterThanOrEqual(floors.recall);
  expect(sumOf(measured, 'right') / Math.max(1, sumOf(measured, 'proposed'))).toBeGreaterThanOrEqual(floors.precision);
});

test('equal seeds give equal exports', () => {
  for (const program of programNames) expect(unseenExport(program, 7)).toEqual(unseenExport(program, 7));
});
