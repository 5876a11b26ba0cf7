/** `estate sync` on the command line: usage, standard input, output and exit codes (contract: commands; command output). */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { lockWaits } from '../support/locks.ts';
import { runEstate, startEstate } from '../support/program.ts';
import { testSecret } from '../support/settings.ts';
import { asCsv, Deliveries, readTableData } from './support.ts';

const deliveries = new Deliveries();
let database: Awaited<ReturnType<typeof openTestDatabase>>;

const estate = (parameters: readonly string[], { input = '', address = '' } = {}) =>
  runEstate(parameters, { DATABASE_URL: address, KEY_SECRET: testSecret, DATA_DIR: deliveries.folder }, input);

afterAll(() => deliveries.remove());

test.each<[parameters: string, message: string]>([
  ['nord', 'name the files or folders to load, or - for standard input.'],
  ['nord a.csv --full --upsert', '--full and --upsert exclude each other.'],
  ['nord a.csv --delete b.csv', '--delete goes with --upsert: a full file deletes what it does not hold.'],
  ['nord -', '--table <table> goes with - (standard input).'],
  ['nord a.csv --table person', '--table <table> goes with - (standard input).'],
  ['nord a.csv --create', '--create and --key <column> go together.'],
])('wrong usage is explained: estate sync %s', async (parameters, message) => {
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

  test('standard input is loaded as a table, errors in data are exit code 1, wrong usage is 2, and the history records it', async () => {
    const made = await run('sync nord - --table meter --create --key id --tier basic --json', 'id,place\n1,cellar\n2,roof\n');
    expect(made.code, made.err).toBe(0);
    expect(JSON.parse(made.out)).toMatchObject({
      customer: 'nord',
      mode: 'full',
      dry_run: false,
      read: 2,
      tables: [{ kind: 'raw', table: 'meter', inserted: 2, updated: 0, deleted: 0, version: 1 }],
    });
    expect(made.err).toMatch(/^nord: reading standard input, 2 rows in [\d.]+ s/);

    const refused = await run('sync nord - --table meter', 'id,place\nx,cellar\n');
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toContain('estate: standard input, line 2, column id: "x" is no integer');

    const unknown = await run('sync nobody a.csv');
    expect([unknown.code, unknown.err]).toEqual([1, "estate: There is no customer 'nobody'.\n"]);
    expect((await run('sync nord -')).code).toBe(2);

    const history = await run('sync nord --history --json');
    const runs: { mode: string; error: string | null; inserted: number }[] = JSON.parse(history.out);
    expect(runs.map(({ error, inserted }) => [inserted, error]).slice(0, 2)).toEqual([
      [0, 'standard input, line 2, column id: "x" is no integer'],
      [2, null],
    ]);
    // The load of the demo.
    expect(runs).toHaveLength(3);
    expect(runs[2]).toMatchObject({ mode: 'demo', error: null, tables: expect.arrayContaining(['person']) });
    expect(runs[2]?.inserted).toBeGreaterThan(1000);
  });

  test('a dry run shows what it would load', async () => {
    const { rows } = await database.pool.query('select count(*) from customer_nord.catalog_value');
    const path = deliveries.write('catalog_value.csv', asCsv(await readTableData(database, 'catalog_value')));
    const { code, err } = await run(`sync nord ${path} --dry-run`);
    expect(code, err).toBe(0);
    expect(err).toMatch(new RegExp(`^nord: would load ${Number(rows[0].count).toLocaleString('en')} rows, read in [\\d.]+ s$`, 'm'));
    expect(err).not.toContain('loaded');
  });

  test('a delivery that differs much from the last one is exit code 1, and --accept loads it', async () => {
    const gauges = (count: number) => `id,place\n${Array.from({ length: count }, (_, index) => `${index + 1},cellar\n`).join('')}`;
    expect((await run('sync nord - --table gauge --create --key id --tier basic', gauges(200))).code).toBe(0);
    const held = await run('sync nord - --table gauge', gauges(165));
    expect([held.code, held.out]).toEqual([1, '']);
    expect(held.err).toContain(
      'estate: gauge: 18 % of the rows are missing: 165, and the last delivery had 200\nThe delivery is held: ordinary changes do not explain the differences. If it is right: --accept',
    );
    const accepted = await run('sync nord - --table gauge --accept --json', gauges(165));
    expect(accepted.code, accepted.err).toBe(0);
    expect(JSON.parse(accepted.out).tables).toMatchObject([{ table: 'gauge', deleted: 35 }]);
  });

  test('the check of a source for a customer is the dry run of the load, with exit code 1 for a refusal', async () => {
    const folder = deliveries.folderNamed('export');
    const source = deliveries.write(
      'erp.yml',
      'name: erp\ntables:\n  - { table: gauge_point, path: points.csv, primaryKey: nr, columns: { place: place } }\n',
    );
    folder.write('points.csv', 'nr,place\nA,x\nB,y\n');
    folder.write('notes.csv', 'a\n');
    expect((await run('sync nord - --table gauge_point --create --key id --tier basic', 'id,place\n')).code).toBe(0);
    const checked = await run(`source check ${source} ${folder.folder} --customer nord`);
    expect(checked.code, checked.err).toBe(0);
    expect(checked.out).toMatch(/A load is possible\.\n$/);
    expect(checked.out).toContain('not loaded: notes.csv (no table of the source reads it)');
    const strict = await run(`sync nord ${folder.folder} --source ${source} --strict`);
    expect([strict.code, strict.err]).toEqual([1, expect.stringContaining('not loaded: notes.csv')]);
    folder.write('points.csv', 'nr,place\nA,x\nA,y\n');
    const refused = await run(`source check ${source} ${folder.folder} --customer nord`);
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('"A" is on points.csv, line 2 already')]);
    expect(refused.out).toMatch(/A load would be refused\.\n$/);
  });

  describe('a running load', () => {
    /** Starts a load that waits for a table which this test locks. `end` is applied to its process. */
    const interrupt = async (signal: NodeJS.Signals) => {
      const path = deliveries.write('person.csv', asCsv(await readTableData(database, 'person')));
      const keeper = await database.pool.connect();
      try {
        await keeper.query('begin');
        await keeper.query('lock table customer_nord.person in access exclusive mode');
        const child = startEstate(['sync', 'nord', path], { DATABASE_URL: database.address, KEY_SECRET: testSecret });
        const errors = text(child.stderr!);
        const exit = once(child, 'exit');
        const waits = async () => (await lockWaits(database.pool)).filter(({ table }) => table === 'person');
        await expect.poll(waits).toHaveLength(1);
        child.kill(signal);
        const [code] = await exit;
        return { code, errors: await errors };
      } finally {
        await keeper.query('rollback');
        keeper.release();
      }
    };
    const newest = async () => JSON.parse((await run('sync nord --history --json')).out)[0];
    const leftBehind = async () => {
      const { rows } = await database.pool.query(
        `select (select count(*) from pg_locks l join pg_database d on d.oid = l.database
            where l.locktype = 'advisory' and d.datname = current_database()) as locks,
           (select count(*) from pg_class where relname like '% %' and relkind = 'r') as staged`,
      );
      return rows[0];
    };

    test.each(['SIGINT', 'SIGTERM'] as const)('%s cancels it with one line, and leaves nothing', async (signal) => {
      const { code, errors } = await interrupt(signal);
      expect(code).toBe(1);
      expect(errors.trimEnd().split('\n').at(-1)).toBe('estate: nord: cancelled; nothing was changed.');
      expect(await leftBehind()).toEqual({ locks: 0, staged: 0 });
      expect(await newest()).toMatchObject({ error: 'cancelled', ended_at: expect.any(String) });
    });

    test('SIGKILL ends it, and the history shows that at the next read', async () => {
      await interrupt('SIGKILL');
      // The server notices within seconds.
      await expect.poll(async () => (await leftBehind()).locks).toBe(0);
      expect(await newest()).toMatchObject({ error: 'aborted', ended_at: expect.any(String) });
    });
  });
});
