/**
 * The text of a statement under construction, with its bound values.
 *
 * Conditions nest freely, so a text is written while its plan is walked; the text is its own shape. Names follow from it, so
 * that the server plans each shape once per connection.
 */
import { createHash } from 'node:crypto';
import type { Kind } from '../catalogue/column.ts';
import { type BoundStatement, parameterType } from './statement.ts';

const namesKept = 5_000;
const names = new Map<string, string>();

const nameOf = (text: string): string => {
  const known = names.get(text);
  if (known) return known;
  const name = `r_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;
  if (names.size >= namesKept) names.delete(names.keys().next().value as string);
  names.set(text, name);
  return name;
};

export class StatementText {
  readonly #values: unknown[] = [];

  /** Binds a value of a column's kind; gives back its place in the text. */
  bind(value: unknown, kind: Kind): string {
    return `$${this.#values.push(value)}::${parameterType[kind]}`;
  }

  /** Binds a list of values as one array. */
  bindAll(values: readonly unknown[], kind: Kind): string {
    return `$${this.#values.push(values)}::${parameterType[kind]}[]`;
  }

  /** The statement, ready to run. */
  finish(text: string): BoundStatement {
    return { text, name: nameOf(text), values: this.#values };
  }
}
