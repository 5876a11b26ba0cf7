/** Entries of the audit log about views of operators: who opened the view of which customer, and which tables it read (contract: operator view). */
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type Actor, recordAction } from '../../../access/audit.ts';
import type { ControlTables } from '../../../database/control-tables.ts';

/** The operator view of a customer in one session. */
export interface OperatorView {
  readonly actor: Actor;
  readonly sessionId: string;
  readonly customer: { readonly id: number; readonly slug: string };
}

/** Entries that are remembered as written. A forgotten one is written again. */
const maxRemembered = 10_000;

export class ViewRecords {
  readonly #control: Kysely<ControlTables>;
  readonly #written = new LRUCache<string, Promise<void>>({ max: maxRemembered });

  constructor(control: Kysely<ControlTables>) {
    this.#control = control;
  }

  /** Records that the page of the view was opened. */
  open(view: OperatorView): Promise<void> {
    return this.#write(view, '', 'opened view', view.customer.slug);
  }

  /** Records a view whose requests come without its page, once. */
  use(view: OperatorView): Promise<void> {
    return this.#written.get(nameOf(view, '')) ?? this.open(view);
  }

  /** Records a table once for each view. Resolves when the entry is written, so that no row is sent before. */
  read(view: OperatorView, table: string): Promise<void> {
    return this.#written.get(nameOf(view, table)) ?? this.#write(view, table, 'read table', `${table} of ${view.customer.slug}`);
  }

  #write(view: OperatorView, part: string, action: string, subject: string): Promise<void> {
    const name = nameOf(view, part);
    const writing = recordAction(this.#control, view.actor, action, subject);
    this.#written.set(name, writing);
    // After a failure, the next request tries again.
    writing.catch(() => this.#written.delete(name));
    return writing;
  }
}

const nameOf = ({ sessionId, customer }: OperatorView, part: string): string => `${sessionId} ${customer.id} ${part}`;
