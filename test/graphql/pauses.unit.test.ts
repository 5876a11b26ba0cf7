/** A document's rows are written in steps, between which others have their turn: none writes much more than a row. */
import { expect, test } from 'vitest';
import type { ConnectionRows } from '../../src/graphql/levels.ts';
import { named } from '../../src/graphql/select-levels.ts';
import type { RootSelection, RowField } from '../../src/graphql/selection.ts';
import { type Writing, writeRoot } from '../../src/graphql/write.ts';
import { ByteRows } from '../../src/read/byte-rows.ts';
import { HeldJson } from '../../src/read/json-out.ts';
import { Wire } from '../../src/read/json-values.ts';

/** The most values that a step writes of rows that have this many fields each; all of them are null. */
const mostInAStep = (fields: number, rows: number): number => {
  const row = Buffer.alloc(2 + 4 * fields, 0xff);
  const found = new ByteRows(fields);
  for (let at = 0; at < rows; at++) found.row(row, 0);
  const columns = Array.from({ length: fields }, (_, at): RowField => ({ key: `f${100 + at}`, is: 'column', at, wire: Wire.text }));
  const level = {};
  const connection = { level, fields: [{ ...named('nodes'), is: 'nodes', fields: columns }], rowFields: columns };
  const json = new HeldJson();
  const writing = { out: json.out, plans: new Map([[level, { limit: rows }]]), values: 0 } as unknown as Writing;
  const page: ConnectionRows = { level: { rows: found, base: 0, related: new Map() }, from: 0, count: rows, total: 0 };
  const steps = writeRoot(writing, { is: 'rows', connection } as unknown as RootSelection, page);
  let [most, before] = [0, 0];
  const bytesOfOne = '"f100":null,'.length;
  for (let isDone = false; !isDone; ) {
    isDone = steps.next().done ?? false;
    const { at } = json.out;
    // A chunk that has become full begins anew.
    if (at > before) most = Math.max(most, at - before);
    before = at;
  }
  expect(JSON.parse(Buffer.concat(json.end().body).toString()).nodes).toHaveLength(rows);
  return most / bytesOfOne;
};

test('narrow rows pause together, a wide one by itself', () => {
  expect(mostInAStep(10, 2_000)).toBeLessThan(256 + 10);
  expect(mostInAStep(900, 20)).toBeLessThan(900 + 10);
});
