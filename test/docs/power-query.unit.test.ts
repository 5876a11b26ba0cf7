/** The Power Query text of the documentation is valid: for every table, for saved questions and in the guide. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DefaultSettings, TaskUtils } from '@microsoft/powerquery-parser';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { csvQuery } from '../../src/prints/power-query.ts';
import { sampleOrigin } from '../../src/web/docs/markdown.ts';
import { fileQuery, rangeConditionOf, rangeQuery } from '../../src/web/docs/power-query.ts';
import { questionAddress, questionQuery } from '../../src/web/docs/question-query.ts';

const tables = [...catalogue.tables.values()];

/** The error of the parser; undefined for valid text. */
const errorOf = async (text: string): Promise<unknown> => {
  const task = await TaskUtils.tryLexParse(DefaultSettings, text);
  return TaskUtils.isParseStageOk(task) ? undefined : ((task as { error?: { message: string } }).error?.message ?? 'is wrong');
};

test('the parser refuses a wrong text', async () => {
  expect(await errorOf('let Rows = in Rows')).toBeTruthy();
});

test.each(tables.map((table) => [table.name, table] as const))('%s', async (_name, table) => {
  expect(await errorOf(fileQuery(table))).toBeUndefined();
  const range = rangeQuery(table);
  if (range !== undefined) expect(await errorOf(range)).toBeUndefined();
});

test('a range becomes a condition on a day or on a fiscal year, if no other filter is required', () => {
  const found = tables.flatMap((table) => {
    const condition = rangeConditionOf(table);
    return condition ? [`${table.name} ${condition.column}`] : [];
  });
  expect(found.sort()).toEqual([
    'booking_header fiscal_year',
    'budgets fiscal_year',
    'contract_ends contract_end_date',
    'depreciation fiscal_year',
    'notifications report_date',
  ]);
  expect(rangeQuery(catalogue.tables.get('notifications')!)).toContain('"report_date>=" & Date.ToText(DateTime.Date(RangeStart)');
});

test.each([[[]], [['first']], [['ids', 'trade', '_from']], [['each', 'type', 'let', 'in']]])(
  'a saved question with %s',
  async (variables) => {
    const asked = { origin: sampleOrigin, name: 'arrears-2025', variables };
    expect(await errorOf(questionQuery(asked))).toBeUndefined();
    expect(new URL(questionAddress(asked)).search).toBe(`?${[...variables.map((name) => `${name}=`), 'format=csv'].join('&')}`);
  },
);

test('text of a request can have any value, and names that are keywords', async () => {
  const parameters = [
    ['where', 'subject="a #(lf)"'],
    ['in', ''],
    ['a b', '1'],
  ] as const;
  const text = csvQuery({ origin: sampleOrigin, path: '/operations/orders', parameters });
  expect(await errorOf(text)).toBeUndefined();
  expect(text).toContain('where = "subject=""a #(#)(lf)""", #"in" = "", #"a b" = "1", format = "csv"');
  expect(text).toContain('RelativePath = "operations/orders"');
});

test('the guide has the text of a saved question', () => {
  const guide = readFileSync('docs/guide/questions.md', 'utf8');
  expect(guide).toContain(questionQuery({ origin: sampleOrigin, name: 'arrears', variables: ['first'] }));
});

describe('the guide', () => {
  const blocks = readdirSync('docs/guide').flatMap((name) =>
    [...readFileSync(join('docs/guide', name), 'utf8').matchAll(/^```powerquery\n(.*?)^```$/gms)].map(
      ([, text = '']) => [name, text] as const,
    ),
  );
  test.each(blocks)('%s', async (_name, text) => {
    expect(await errorOf(text)).toBeUndefined();
  });
});
