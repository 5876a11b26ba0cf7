/**
 * Reads a statement's rows as text, and what becomes of the text. The catalogue knows the types, so nothing is guessed and
 * no object is made of a row before it has the shape that is asked for.
 */
import type pg from 'pg';
import type { Kind } from '../catalogue/column.ts';
import { type RowSink, readRows } from './row-query.ts';
import type { TextRow } from './rows-plan.ts';
import type { BoundStatement } from './statement.ts';

/** Collects rows as text. */
export class TextRows implements RowSink {
  readonly found: TextRow[] = [];

  describe(): void {}

  row(bytes: Buffer, start: number, end: number): void {
    // One call into the decoder for a whole row: a value that is ASCII is a part of this text.
    const text = bytes.toString('latin1', start, end);
    const fields: (string | null)[] = [];
    for (let at = start + 2; at < end; ) {
      const length = bytes.readInt32BE(at);
      at += 4;
      const until = at + Math.max(length, 0);
      if (length < 0) fields.push(null);
      else fields.push(isAscii(bytes, at, until) ? text.slice(at - start, until - start) : bytes.toString('utf8', at, until));
      at = until;
    }
    this.found.push(fields);
  }
}

const isAscii = (bytes: Buffer, from: number, until: number): boolean => {
  for (let i = from; i < until; i++) if (bytes[i]! > 0x7f) return false;
  return true;
};

/** Runs a statement on a client. */
export const readText = async (client: pg.PoolClient, statement: BoundStatement): Promise<readonly TextRow[]> => {
  const rows = new TextRows();
  await readRows(client, statement, rows);
  return rows.found;
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
