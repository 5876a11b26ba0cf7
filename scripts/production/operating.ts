/**
 * Follows docs/operating.md: the role, settings behind a pooler, upgrades, backup and restore. SQL runs as the cluster's superuser, and
 * everything else as the service's role.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** The SQL blocks under a heading. */
const blocksUnder = (heading: string): readonly string[] => {
  const [, section = ''] = readFileSync('docs/operating.md', 'utf8').split(`\n## ${heading}\n`);
  return [...(section.split('\n## ')[0] ?? '').matchAll(/^```sql\n(.*?)^```/gms)].map(([, sql = '']) => sql);
};

const ofRole = 'The role and its rights';
const statementsOf = (sql = '') => sql.trim().split('\n');

export interface Operator {
  /** Runs a statement on a database as the superuser. */
  readonly psql: (statement: string, database?: string) => string;
  /** Runs a shell line as the service's operator, with its settings. */
  readonly shell: (line: string) => string;
}

/** The SQL that creates role and database. The README contains the same. */
export const roleBlock = (): string => blocksUnder(ofRole)[0] ?? assert.fail('no SQL for the role');

/** Follows the document on a database that was created by the README. */
export const followOperating = ({ psql, shell }: Operator): void => {
  const [, ofReplica] = blocksUnder(ofRole);
  const [ofPooler] = blocksUnder('PgBouncer');
  for (const statement of [...statementsOf(ofReplica), ...statementsOf(ofPooler)]) psql(statement);
  const rights = "select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls from pg_roles where rolname = 'estate'";
  assert.equal(psql(rights).trim(), 'f', 'the role is no superuser');
  const foreign = `select count(*) from pg_namespace where (nspname = 'estate' or nspname like 'customer%' or nspname like 'staging%')
    and nspowner <> 'estate'::regrole`;
  assert.equal(psql(foreign, 'estate').trim(), '0', 'every schema belongs to the role');
  assert.match(shell('bin/estate.js migrate'), /Nothing to do\./);
  console.log('the role has what docs/operating.md gives it, and needs no more');

  shell('pg_dump --format=custom --file=estate.dump "$DATABASE_URL"');
  const [, ...ofDatabase] = statementsOf(roleBlock());
  for (const statement of ['drop database estate', ...ofDatabase]) psql(statement);
  shell('pg_restore --exit-on-error --dbname="$DATABASE_URL" estate.dump');
  shell('bin/estate.js restored');
  assert.match(shell('bin/estate.js migrate'), /Nothing to do\./);
  assert.match(shell('bin/estate.js customer list'), /^nord /m);
  console.log('backed up and restored by the role');
};
