/**
 * Reads a statement's rows as text, through the stock `pg` client, and what becomes of the text.
 *
 * The client's own result would build an object for each row and guess at types; the catalogue knows them. Documents have
 * more shapes than REST's pages, so each connection keeps a bounded number of planned statements for them.
 */
import pg from 'pg';
import type { Kind } from '../catalogue/column.ts';
import { quote } from '../database/identifier.ts';
import type { TextRow } from './rows-plan.ts';
import type { BoundStatement } from './statement.ts';

/** The parts of `pg.Query` that this builds on; `@types/pg` does not describe them. */
declare class PgQuery {
  constructor(config: { text: string; name: string; values: readonly unknown[] }, callback: (error: Error | null) => void);
  handleRowDescription(message: unknown): void;
  handleDataRow(message: { readonly fields: TextRow }): void;
}
const Query = pg.Query as unknown as typeof PgQuery;

class TextQuery extends Query {
  // Not `rows`: that is how many of them `pg` asks for at a time.
  readonly found: TextRow[] = [];

  override handleRowDescription(): void {}

  override handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.found.push(fields);
  }
}

/** A planned statement of 64 columns takes up to 100 KB in a backend. */
const statementsKept = 200;
const statements = new WeakMap<pg.ClientBase, Set<string>>();

/** Remembers that the client has planned a statement; gives back the one unused for longest when there are too many. */
const keepStatement = (client: pg.ClientBase, name: string): string | undefined => {
  const kept = statements.get(client) ?? new Set<string>();
  statements.set(client, kept);
  kept.delete(name);
  kept.add(name);
  if (kept.size <= statementsKept) return undefined;
  const oldest = kept.values().next().value as string;
  kept.delete(oldest);
  return oldest;
};

const dropStatement = async (client: pg.ClientBase, name: string): Promise<void> => {
  const { connection } = client as unknown as { connection: { parsedStatements: Record<string, string> } };
  delete connection.parsedStatements[name];
  // It is fine when the server does not have it: the statement that should have planned it may have failed.
  await client.query(`deallocate ${quote(name)}`).catch(() => {});
};

/** Runs a statement on a client. */
export const readText = async (client: pg.PoolClient, statement: BoundStatement): Promise<readonly TextRow[]> => {
  const unused = keepStatement(client, statement.name);
  if (unused) await dropStatement(client, unused);
  return new Promise((resolve, reject) => {
    const query = new TextQuery({ ...statement }, (error) => (error ? reject(error) : resolve(query.found)));
    client.query(query as unknown as pg.Submittable);
  });
};

const fractionDigits = 6;

/** `2024-11-30 03:00:00.5+00` becomes `2024-11-30T03:00:00.500000Z`; the session's zone is UTC. */
const timestamp = (text: string): string | null => {
  const [, day, time, fraction] = /^(\d+-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(text) ?? [];
  return day ? `${day}T${time}${fraction ? `.${fraction.padEnd(fractionDigits, '0')}` : ''}Z` : null;
};

/** JSON has no NaN and no infinities. */
const number = (text: string): number | null => {
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
};

/** The value that a column's text stands for, as JSON shows it (semantics 20). */
export const jsonValueOf: Record<Kind, (text: string) => string | number | boolean | null> = {
  integer: number,
  bigint: number,
  number,
  string: (text) => text,
  date: (text) => (text.endsWith('infinity') ? null : text),
  timestamp,
  boolean: (text) => text === 't',
};
