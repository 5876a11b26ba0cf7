/** The audit log is append-only, for every writer. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuditEntry, commandLine, countLog, exportLog, readLog, recordAction } from '../../src/access/audit.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { withClient } from '../../src/database/connections/transaction.ts';
import { onServer, openTestDatabase } from '../support/database.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test.each([
  "update estate.audit_log set actor = 'somebody else'",
  'delete from estate.audit_log',
  'delete from estate.audit_log where false',
  'truncate estate.audit_log',
  "insert into estate.audit_log (id, actor, action, subject) overriding system value values (1, 'x', 'x', 'x') on conflict (id) do update set actor = 'x'",
])('%s is refused, also to the owner of the table', async (statement) => {
  await recordAction(database.control, commandLine, 'did something', 'nord');
  const before = await readLog(database.control, {}, { limit: 100 });
  await expect(database.pool.query(statement)).rejects.toThrow(/^audit_log only grows: (update|delete|truncate) is refused$/);
  expect(await readLog(database.control, {}, { limit: 100 })).toEqual(before);
});

test.runIf(onServer)('after the documented hand-over to an auditor, it is append-only for the service’s own role too', async () => {
  const [section = ''] = readFileSync('docs/operating.md', 'utf8').split('## The log of actions\n').slice(1);
  const [, sql = ''] = /```sql\n(.*?)```/s.exec(section) ?? [];
  const suffix = randomBytes(4).toString('hex');
  const [role, auditor] = [`service_${suffix}`, `auditor_${suffix}`];
  await withClient(database.pool, async (client) => {
    await client.query(`create role ${role}; create role ${auditor}`);
    try {
      await client.query(sql.replaceAll(/ to estate;/g, () => ` to ${role};`).replaceAll(/ to auditor;/g, () => ` to ${auditor};`));
      await client.query(`set role ${role}`);
      await client.query("insert into estate.audit_log (actor, action, subject) values ('anna', 'went on', 'nord')");
      expect((await client.query("select from estate.audit_log where action = 'went on'")).rowCount).toBe(1);
      for (const statement of [
        'alter table estate.audit_log disable trigger only_grows',
        'drop trigger only_grows on estate.audit_log',
        'drop function estate.refuse_change() cascade',
        "create or replace function estate.refuse_change() returns trigger language plpgsql as 'begin return null; end'",
        'drop table estate.audit_log',
        'drop schema estate cascade',
        'delete from estate.audit_log',
      ])
        await expect(client.query(statement)).rejects.toThrow(/must be owner|permission denied/);
    } finally {
      await client.query('reset role');
      await client.query(`reassign owned by ${auditor} to current_user; drop owned by ${role}; drop role ${role}, ${auditor}`);
    }
  });
});

test('entries of the command line name the user and the machine', async () => {
  await recordAction(database.control, commandLine, 'did this', 'nord');
  const [entry] = await readLog(database.control, { search: 'did this' }, { limit: 1 });
  expect(entry).toMatchObject({
    actor: expect.stringMatching(/^command line \(.+\)$/),
    address: expect.stringMatching(/./),
    action: 'did this',
  });
});

test('an export and its pages contain each of many entries once, in order', async () => {
  await database.pool.query(
    "insert into estate.audit_log (actor, action, subject) select 'anna', 'counted', 'number ' || n from generate_series(1, 2500) n",
  );
  const filter = { search: 'COUNTED' };
  const all: AuditEntry[] = [];
  for await (const entry of exportLog(database.control, filter)) all.push(entry);
  expect(all.map(({ subject }) => subject)).toEqual(Array.from({ length: 2500 }, (_, index) => `number ${index + 1}`));
  expect(await countLog(database.control, filter)).toBe(2500);
  const page = await readLog(database.control, filter, { limit: 3, offset: 2497 });
  expect(page.map(({ subject }) => subject)).toEqual(['number 3', 'number 2', 'number 1']);
  expect(await countLog(database.control, { ...filter, until: all[0]?.at })).toBe(0);
  expect(await countLog(database.control, { search: '%' })).toBe(0);
});
