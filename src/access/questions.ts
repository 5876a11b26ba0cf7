/** Saved questions: GraphQL documents with names, for all customers or for one (contract: saved questions). */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/connections/connection.ts';
import { findCustomer } from '../database/control/customers.ts';
import { OperatorError } from '../errors.ts';
import { type Actor, commandLine, recordAction } from './audit.ts';

/** A document with a name. */
export interface Question {
  readonly name: string;
  /** The GraphQL document. */
  readonly document: string;
}

export interface SavedQuestion extends Question {
  /** The name of the key that saved it, or its public id if it has no name; null for the operator. */
  readonly saved_by: string | null;
  readonly added_at: Date;
}

export interface QuestionRecord extends SavedQuestion {
  /** The slug of the customer; null for a question of all customers. */
  readonly customer: string | null;
}

export const questionName = /^[a-z][a-z0-9_-]{0,62}$/;

/** SQL: `saved_by` of a question, with the key that saved it joined. */
const saver = sql<string | null>`coalesce(nullif(api_keys.name, ''), questions.saved_by)`.as('saved_by');

/** A question in the audit log. */
export const subjectOf = (name: string, customer: string | undefined): string =>
  `${name}, ${customer ? `customer ${customer}` : 'all customers'}`;

/** The operations of the command line. Each change is recorded in the audit log. */
export class QuestionStore {
  readonly #database: Database;
  readonly #actor: Actor;

  constructor(database: Database, actor: Actor = commandLine) {
    this.#database = database;
    this.#actor = actor;
  }

  async #customerId(slug: string | undefined): Promise<number | null> {
    return slug === undefined ? null : (await findCustomer(this.#database, slug)).id;
  }

  /** Adds a question or replaces its document. Throws an `OperatorError` for an invalid name or an unknown customer. */
  async add({ name, document }: Question, customer: string | undefined): Promise<void> {
    if (!questionName.test(name))
      throw new OperatorError(`'${name}' is no name of a question: small letters, digits, _ and -, at most 63.`);
    const customer_id = await this.#customerId(customer);
    await this.#database.control.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom('questions')
        .where('name', '=', name)
        .where('customer_id', 'is not distinct from', customer_id)
        .execute();
      await transaction.insertInto('questions').values({ name, customer_id, document }).execute();
      await recordAction(transaction, this.#actor, 'saved question', subjectOf(name, customer));
    });
  }

  /** Throws an `OperatorError` if there is no such question. */
  async remove(name: string, customer: string | undefined): Promise<void> {
    const customer_id = await this.#customerId(customer);
    await this.#database.control.transaction().execute(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('questions')
        .where('name', '=', name)
        .where('customer_id', 'is not distinct from', customer_id)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw new OperatorError(`There is no question ${subjectOf(name, customer)}.`);
      await recordAction(transaction, this.#actor, 'removed question', subjectOf(name, customer));
    });
  }

  /** All questions, or those that a customer can ask. */
  async list(customer?: string): Promise<QuestionRecord[]> {
    const id = await this.#customerId(customer);
    return this.#database.control
      .selectFrom('questions')
      .leftJoin('customers', 'customers.id', 'questions.customer_id')
      .leftJoin('api_keys', 'api_keys.id', 'questions.saved_by')
      .select(['questions.name', 'questions.document', 'customers.slug as customer', 'questions.added_at', saver])
      .$if(id !== null, (all) =>
        all.where((where) => where.or([where('questions.customer_id', 'is', null), where('questions.customer_id', '=', id)])),
      )
      .orderBy('questions.name')
      .orderBy('customers.slug')
      .execute();
  }
}

/** How long an instance uses questions that it has read. */
const cachedMs = 2_000;
const maxCustomers = 1_000;

/** The questions that the keys of a customer can ask. A question of the customer replaces one of all customers with the same name. */
export class Questions {
  readonly #known: LRUCache<number, ReadonlyMap<string, SavedQuestion>>;

  constructor({ control }: Pick<Database, 'control'>) {
    this.#known = new LRUCache<number, ReadonlyMap<string, SavedQuestion>>({
      max: maxCustomers,
      ttl: cachedMs,
      // A request that waits while `forget` is called gets what is read.
      ignoreFetchAbort: true,
      fetchMethod: async (customerId) => {
        const rows = await control
          .selectFrom('questions')
          .leftJoin('api_keys', 'api_keys.id', 'questions.saved_by')
          .select(['questions.name', 'questions.document', 'questions.added_at', saver])
          .where((where) => where.or([where('questions.customer_id', 'is', null), where('questions.customer_id', '=', customerId)]))
          .orderBy('questions.name')
          .orderBy('questions.customer_id', (order) => order.asc().nullsFirst())
          .execute();
        return new Map(rows.map((row) => [row.name, row]));
      },
    });
  }

  async of(customerId: number): Promise<ReadonlyMap<string, SavedQuestion>> {
    return (await this.#known.fetch(customerId)) ?? new Map();
  }

  /** Reads the questions of the customer again at the next request. */
  forget(customerId: number): void {
    this.#known.delete(customerId);
  }
}
