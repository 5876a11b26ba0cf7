/** Saved questions: GraphQL documents with names, for all customers or for one (contract: saved questions). */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/connections/connection.ts';
import { findCustomer } from '../database/control/customers.ts';
import { controlSchema, type QuestionOutcome, type QuestionOutcomes } from '../database/control-tables.ts';
import { OperatorError } from '../errors.ts';
import { type Actor, commandLine, recordAction } from './audit.ts';

export type { QuestionOutcome, QuestionOutcomes } from '../database/control-tables.ts';

/** A document with a name. */
export interface NamedDocument {
  readonly name: string;
  /** The GraphQL document. */
  readonly document: string;
}

export interface SavedQuestion extends NamedDocument {
  readonly id: number;
  /** Read from memory for at most 2 seconds. */
  readonly outcomes: QuestionOutcomes;
  /** The name of the key that saved it, or its public id if it has no name; null for the operator. */
  readonly saved_by: string | null;
  readonly added_at: Date;
}

export interface QuestionRecord extends Omit<SavedQuestion, 'id'> {
  /** The slug of the customer; null for a question of all customers. */
  readonly customer: string | null;
}

/** A question to save, with the outcomes that are known. */
export interface NewQuestion extends NamedDocument {
  readonly outcomes?: QuestionOutcomes;
}

export const questionLimits = { ofCustomer: 200, documentBytes: 32 * 1_024, variables: 50, nameLength: 63 } as const;

export const questionName = /^[a-z][a-z0-9_-]{0,62}$/;

/** SQL: `saved_by` of a question, with the key that saved it joined. */
const saver = sql<string | null>`coalesce(nullif(api_keys.name, ''), questions.saved_by)`.as('saved_by');

/** A question in the audit log. */
export const questionSubject = (name: string, customer: string | undefined): string =>
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
  async add({ name, document, outcomes = {} }: NewQuestion, customer: string | undefined): Promise<void> {
    if (!questionName.test(name))
      throw new OperatorError(`'${name}' is no name of a question: small letters, digits, _ and -, at most 63.`);
    const customer_id = await this.#customerId(customer);
    await this.#database.control.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom('questions')
        .where('name', '=', name)
        .where('customer_id', 'is not distinct from', customer_id)
        .execute();
      await transaction
        .insertInto('questions')
        .values({ name, customer_id, document, outcomes: JSON.stringify(outcomes) })
        .execute();
      await recordAction(transaction, this.#actor, 'saved question', questionSubject(name, customer));
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
      if (numDeletedRows === 0n) throw new OperatorError(`There is no question ${questionSubject(name, customer)}.`);
      await recordAction(transaction, this.#actor, 'removed question', questionSubject(name, customer));
    });
  }

  /** All questions, or those that a customer can ask. */
  async list(customer?: string): Promise<QuestionRecord[]> {
    const id = await this.#customerId(customer);
    return this.#database.control
      .selectFrom('questions')
      .leftJoin('customers', 'customers.id', 'questions.customer_id')
      .leftJoin('api_keys', 'api_keys.id', 'questions.saved_by')
      .select(['questions.name', 'questions.document', 'questions.outcomes', 'customers.slug as customer', 'questions.added_at', saver])
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
/** The schemas whose outcomes are kept with a question: those of tiers, and of data scopes of different shapes. */
const maxSchemas = 50;

/** The questions that the keys of a customer can ask. A question of the customer replaces one of all customers with the same name. */
export class Questions {
  readonly #control: Database['control'];
  readonly #known: LRUCache<number, ReadonlyMap<string, SavedQuestion>>;

  constructor({ control }: Pick<Database, 'control'>) {
    this.#control = control;
    this.#known = new LRUCache<number, ReadonlyMap<string, SavedQuestion>>({
      max: maxCustomers,
      ttl: cachedMs,
      // A request that waits while `forget` is called gets what is read.
      ignoreFetchAbort: true,
      fetchMethod: async (customerId) => {
        const rows = await control
          .selectFrom('questions')
          .leftJoin('api_keys', 'api_keys.id', 'questions.saved_by')
          .select(['questions.id', 'questions.name', 'questions.document', 'questions.outcomes', 'questions.added_at', saver])
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

  /**
   * Keeps outcomes of checks with their questions, by id. Those of earlier schemas are dropped when there are many. A database that takes no
   * changes is no reason to refuse a list.
   */
  async keepOutcomes(schema: string, outcomes: ReadonlyMap<number, QuestionOutcome>): Promise<void> {
    const entries = JSON.stringify([...outcomes].map(([id, outcome]) => ({ id, outcome })));
    const kept = sql`case when (select count(*) from jsonb_object_keys(questions.outcomes)) < ${sql.lit(maxSchemas)}
      then questions.outcomes else '{}' end`;
    const change = sql`update ${sql.table(`${controlSchema}.questions`)} as questions
      set outcomes = ${kept} || jsonb_build_object(${schema}::text, made.outcome)
      from jsonb_to_recordset(${entries}::jsonb) as made (id integer, outcome jsonb) where questions.id = made.id`;
    await change.execute(this.#control).catch(() => {});
  }

  /** Reads the questions of the customer again at the next request. */
  forget(customerId: number): void {
    this.#known.delete(customerId);
  }
}
