/** Commands for nodes, without Citus or with names of nodes that are unknown. `npm run citus` runs them with known ones. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onServer } from '../support/database.ts';
import { isCluster } from '../support/server-databases.ts';
import { type CommandLine, openCommandLine } from './command-line.ts';

let commandLine: CommandLine;
beforeAll(async () => {
  commandLine = await openCommandLine();
  const { code } = await estate('customer', 'add', 'kontor', '--name', 'Kontor GmbH', '--tier', 'basic');
  expect(code).toBe(0);
});
afterAll(() => commandLine.close());

const estate: CommandLine['run'] = (...line) => commandLine.run(...line);

const isOnCluster = await isCluster(process.env.DATABASE_URL);
const refusal = isOnCluster
  ? expect.stringMatching(/^estate: There is no node 'worker-2:5432' for customers. Customers can be on 127\.0\.0\.1:\d+, /)
  : 'estate: The database has no extension "citus", so it has no nodes: docs/operating.md, "Citus".\n';

test.each([
  ['customer move', ['customer', 'move', 'kontor', '--node', 'worker-2:5432']],
  ['customer add --node', ['customer', 'add', 'hafen', '--name', 'Hafen AG', '--tier', 'basic', '--node', 'worker-2:5432']],
])('%s refuses an unknown node, or any without Citus', async (_name, line) => {
  expect(await estate(...line)).toEqual({ code: 1, out: '', err: refusal });
});

test('a customer is not added if its node is unknown', async () => {
  const { out } = await estate('customer', 'list', '--json');
  expect(JSON.parse(out).map(({ slug }: { slug: string }) => slug)).toEqual(['kontor', ...(onServer ? ['nord', 'sued'] : [])]);
});

test('an unknown customer is named, and so is an address that is none', async () => {
  expect(await estate('customer', 'move', 'nobody', '--node', 'worker-2:5432')).toEqual({
    code: 1,
    out: '',
    err: "estate: There is no customer 'nobody'.\n",
  });
  for (const address of ['worker-2', 'worker-2:', ':5432', 'worker-2:0', 'worker-2:65536']) {
    const { code, err } = await estate('customer', 'move', 'kontor', '--node', address);
    expect([code, err]).toEqual([2, expect.stringContaining('It is host:port')]);
  }
});
