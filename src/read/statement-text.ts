/**
 * The text of a statement under construction, with its bound values.
 *
 * Conditions nest freely, so a text is written while its plan is walked; the text is its own shape.
 */
import type { Kind } from '../catalogue/column.ts';
import { type BoundStatement, parameterType, statementName } from './statement.ts';

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
    return { text, name: statementName(text), values: this.#values };
  }
}
