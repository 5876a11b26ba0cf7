/** `estate sync` as operators type it: usage, standard input, what it prints and its exit codes (semantics 35). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { testSecret } from '../support/settings.ts';
import { Deliveries } from './support.ts';

const deliveries = new Deliveries();
let database: Awaited<ReturnType<typeof openTestDatabase>>;

const estate = async (parameters: readonly string[], { input = '', address = '' } = {}) => {
  const child = spawn(process.execPath, ['bin/estate.js', ...parameters], {
    env: { ...process.env, DATABASE_URL: address, KEY_SECRET: testSecret, DATA_DIR: deliveries.folder },
  });
  child.stdin.on('error', () => {}).end(input);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, output, errors };
};

afterAll(() => deliveries.remove());

test.each<[parameters: string, message: string]>([
  ['nord', 'name the files or folders to load, or - for standard input.'],
  ['nord a.csv --full --upsert', '--full and --upsert exclude each other.'],
  ['nord a.csv --delete b.csv', '--delete goes with --upsert: a full file deletes what it does not hold.'],
  ['nord -', '--table <table> goes with - (standard input).'],
  ['nord a.csv --table person', '--table <table> goes with - (standard input).'],
  ['nord a.csv --create', '--create and --key <column> go together.'],
])('wrong usage says why: estate sync %s', async (parameters, message) => {
  const program = createProgram();
  const said: string[] = [];
  program.commands.find((command) => command.name() === 'sync')?.configureOutput({ writeErr: (line) => said.push(line) });
  await expect(program.parseAsync(['node', 'estate', 'sync', ...parameters.split(' ')])).rejects.toThrow(CommanderError);
  expect(said[0]).toBe(`error: ${message}\n`);
});

describe.runIf(onServer)('on a server', () => {
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  const run = (parameters: string, input = '') => estate(parameters.split(' '), { input, address: database.address as string });

  test('standard input is made a table, faults are 1 and wrong usage is 2, and the history tells of it', async () => {
    const made = await run('sync nord - --table meter --create --key id --tier basic --json', 'id,place\n1,cellar\n2,roof\n');
    expect(made.code, made.errors).toBe(0);
    expect(JSON.parse(made.output)).toMatchObject({
      customer: 'nord',
      mode: 'full',
      dry_run: false,
      read: 2,
      tables: [{ kind: 'raw', table: 'meter', inserted: 2, updated: 0, deleted: 0, version: 1 }],
    });
    expect(made.errors).toMatch(/^nord: reading standard input, 2 rows in [\d.]+ s/);

    const refused = await run('sync nord - --table meter', 'id,place\nx,cellar\n');
    expect([refused.code, refused.output]).toEqual([1, '']);
    expect(refused.errors).toContain('estate: standard input, line 2, column id: "x" is no integer');

    const unknown = await run('sync nobody a.csv');
    expect([unknown.code, unknown.errors]).toEqual([1, "estate: There is no customer 'nobody'.\n"]);
    expect((await run('sync nord -')).code).toBe(2);

    const history = await run('sync nord --history --json');
    expect(JSON.parse(history.output).map(({ error, inserted }: { error: string | null; inserted: number }) => [inserted, error])).toEqual([
      [0, 'standard input, line 2, column id: "x" is no integer'],
      [2, null],
    ]);
  });
});
