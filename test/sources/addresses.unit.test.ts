/** Addresses of databases that nothing can read are refused with what to write, and without their password. */
import { expect, test } from 'vitest';
import { openQuery } from '../../src/sources/readers/database.ts';
import type { DatabaseRule } from '../../src/sources/source-file.ts';

const open = (rule: DatabaseRule) =>
  openQuery(rule, { database: 'erp', dbtable: 'mieter' }, undefined).then(
    () => 'opened',
    (error: Error) => error.message,
  );

test.each<[type: DatabaseRule['type'], url: string, remedy: string]>([
  ['sqlserver', 'mysql://sa:secret@127.0.0.1:3306/erp', 'sqlserver://user:password@host:port/database'],
  ['mysql', 'jdbc:mysql://sa:secret@127.0.0.1:3306/erp', 'mysql://user:password@host:port/database'],
  ['postgres', 'postgres://sa:secret@127.0.0.1:port/erp', 'postgres://user:password@host:port/database'],
])('%s: %s', async (type, url, remedy) => {
  const message = await open({ type, url });
  expect(message).toBe(`The address of the database erp is none of the type ${type}: write ${remedy}.`);
});

test.each<DatabaseRule['type']>(['sqlserver', 'mysql', 'postgres'])('%s without a server', async (type) => {
  const message = await open({ type, url: `${type}://sa:secret@127.0.0.1:1/erp` });
  expect(message).toMatch(/^mieter: the database erp says: .*127\.0\.0\.1:1\b/);
  expect(message).not.toContain('secret');
});
