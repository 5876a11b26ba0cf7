/** The buffer for a row is large enough for every selection. */
import { expect, test } from 'vitest';
import { layoutOf, writeRun } from '../../src/graphql/execution/json-layout.ts';
import type { LevelRows } from '../../src/graphql/execution/levels.ts';
import type { RowField } from '../../src/graphql/selection/selection.ts';
import { ByteRows } from '../../src/wire/byte-rows.ts';
import { BufferedJson } from '../../src/wire/json-out.ts';
import { Wire } from '../../src/wire/json-values.ts';
import { dataRow } from '../support/data-row.ts';

const levelOf = (values: readonly (string | null)[]): LevelRows => {
  const rows = new ByteRows(values.length);
  const bytes = dataRow(values);
  rows.row(bytes, 0);
  return { rows, base: 0, related: [] };
};

const column = (key: string, at: number): RowField => ({ key, is: 'column', at, wire: Wire.text });

const written = (fields: readonly RowField[], level: LevelRows): unknown => {
  const json = new BufferedJson();
  for (const part of layoutOf(fields).parts) {
    if (part.is === 'run') writeRun(json.out, part, level, 0);
    if (part.is === 'end') json.out.put(part.text);
  }
  return JSON.parse(Buffer.concat(json.end().body).toString());
};

test('adjacent columns are one run, and a null is null', () => {
  const fields = [column('b', 1), column('a', 0), column('c', 2)];
  expect(layoutOf(fields).parts).toHaveLength(1);
  expect(written(fields, levelOf(['one', null, 'three']))).toEqual({ b: null, a: 'one', c: 'three' });
});

test('fields keep their order around one that is not a column', () => {
  const fields: RowField[] = [column('b', 1), { key: 'type', is: 'typename', type: 'Order' }, column('a', 0)];
  expect(layoutOf(fields).parts.map((part) => part.is)).toEqual(['run', 'field', 'run']);
});

test('a row without fields is an empty object', () => {
  expect(written([], levelOf(['one']))).toEqual({});
});

test('a long value that grows sixfold has space under each of many names', () => {
  const text = '\u0001'.repeat(40_000);
  const fields = Array.from({ length: 30 }, (_, index) => column(`name${index}`, index % 2));
  const expected = Object.fromEntries(fields.map(({ key }, index) => [key, index % 2 === 0 ? text : 'short']));
  expect(written(fields, levelOf([text, 'short']))).toEqual(expected);
});
