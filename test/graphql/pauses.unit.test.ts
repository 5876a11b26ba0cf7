/** The rows of a document are written in steps with pauses for other requests. No step writes much more than a row. */
import { GraphQLSchema } from 'graphql';
import { expect, test } from 'vitest';
import { writeData } from '../../src/graphql/execution/execute.ts';
import type { ConnectionRows } from '../../src/graphql/execution/levels.ts';
import { type Writing, writeRoot } from '../../src/graphql/execution/write.ts';
import type { OperationSelection, RootSelection, RowField } from '../../src/graphql/selection/selection.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { ByteRows } from '../../src/wire/byte-rows.ts';
import { BufferedJson } from '../../src/wire/json-out.ts';
import { Wire } from '../../src/wire/json-values.ts';

/** The maximum number of values per step, for rows with this many fields that are all null. */
const maxInAStep = (fields: number, rows: number): number => {
  const row = Buffer.alloc(2 + 4 * fields, 0xff);
  const found = new ByteRows(fields);
  for (let at = 0; at < rows; at++) found.row(row, 0);
  const columns = Array.from({ length: fields }, (_, at): RowField => ({ key: `f${100 + at}`, is: 'column', at, wire: Wire.text }));
  const connection = { fields: [{ key: 'nodes', is: 'nodes', fields: columns }] };
  const json = new BufferedJson();
  const writing = { out: json.out, values: 0 } as unknown as Writing;
  const plan = { limit: rows } as Plan;
  const page: ConnectionRows = { plan, level: { rows: found, base: 0, related: [] }, from: 0, count: rows, total: 0 };
  const steps = writeRoot(writing, { is: 'rows', connection } as unknown as RootSelection, page);
  let [max, before] = [0, 0];
  const bytesOfOne = '"f100":null,'.length;
  for (let isDone = false; !isDone; ) {
    isDone = steps.next().done ?? false;
    const { at } = json.out;
    // A full chunk is followed by a new one.
    if (at > before) max = Math.max(max, at - before);
    before = at;
  }
  expect(JSON.parse(Buffer.concat(json.end().body).toString()).nodes).toHaveLength(rows);
  return max / bytesOfOne;
};

/** The number of values that each step writes, for a document with several root fields of this connection. */
const valuesInSteps = (roots: number, fields: readonly object[], page: ConnectionRows): number[] => {
  const connection = { fields };
  const selection = {
    roots: Array.from({ length: roots }, (_, at) => ({ key: `list${at}`, is: 'rows', connection })),
    walk: { fragments: new Map(), variables: {} },
  } as unknown as OperationSelection;
  const json = new BufferedJson();
  const cursors = { sign: () => 'cursor' };
  const writing = { out: json.out, cursors, values: 0 } as unknown as Writing;
  const found = selection.roots.map(() => page);
  const steps = writeData({ schema: new GraphQLSchema({}), selection, variables: {} }, found, writing);
  const written: number[] = [];
  for (let isDone = false, before = 0; !isDone; before = json.out.at) {
    isDone = steps.next().done ?? false;
    written.push(json.out.at - before);
  }
  expect(Object.keys(JSON.parse(Buffer.concat(json.end().body).toString()))).toHaveLength(roots);
  return written;
};

const plan = { limit: 100, offset: 0, order: [], source: {}, where: undefined } as unknown as Plan;
const empty: ConnectionRows = { plan, level: undefined, from: 0, count: 0, total: 0 };

test('a document of many short lists pauses between root fields', () => {
  const steps = valuesInSteps(45, [{ key: 'totalCount', is: 'totalCount' }], empty);
  expect(steps.length).toBeGreaterThan(45);
  expect(Math.max(...steps)).toBeLessThan(2 * '"list10":{"totalCount":0},'.length);
});

test('a list of cursors pauses more often than a list of values, because each cursor is signed', () => {
  const rows = new ByteRows(0);
  for (let at = 0; at < 100; at++) rows.row(Buffer.alloc(2), 0);
  const page: ConnectionRows = { plan, level: { rows, base: 0, related: [] }, from: 0, count: 100, total: 100 };
  const edges = { key: 'edges', is: 'edges', fields: [{ key: 'cursor', is: 'cursor' }] };
  expect(valuesInSteps(1, [edges], page).length).toBeGreaterThan(20);
});

test('narrow rows share a pause, a wide row has its own', () => {
  expect(maxInAStep(10, 2_000)).toBeLessThan(256 + 10);
  expect(maxInAStep(900, 20)).toBeLessThan(900 + 10);
});
