/** Questions that keys save for their customer. A key never changes a question of the operator (contract: questions of keys). */
import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../database/connections/connection.ts';
import type { ControlTables } from '../database/control-tables.ts';
import { ApiError } from '../errors.ts';
import { recordAction } from './audit.ts';
import type { Caller } from './caller.ts';
import { type NamedDocument, type NewQuestion, type Questions, questionLimits, questionSubject } from './questions.ts';

const digestLength = 22;

/** The strong tag of a question. It changes with the document. */
export const questionTag = ({ document }: Pick<NamedDocument, 'document'>): string =>
  `"${hash('sha256', document, 'base64url').slice(0, digestLength)}"`;

/** Checks the preconditions of a request against the tag of the question that exists. Throws an `ApiError`. */
export type CheckTag = (existing: string | undefined) => void;

/** Who changes a question, and from which address. */
export interface Saver {
  readonly caller: Pick<Caller, 'keyId' | 'customer'>;
  readonly address: string;
}

type Control = Kysely<ControlTables>;

/** The changes that keys make. Each is recorded in the audit log. */
export class KeyQuestions {
  readonly #control: Control;
  readonly #questions: Questions;

  constructor({ control }: Pick<Database, 'control'>, questions: Questions) {
    this.#control = control;
    this.#questions = questions;
  }

  /**
   * Saves or replaces a question of the customer. Returns whether it is new. Throws `operatorsQuestion`, `tooManyQuestions`, and what
   * `checkTag` throws.
   */
  async save(saver: Saver, { name, document, outcomes = {} }: NewQuestion, checkTag: CheckTag): Promise<boolean> {
    const { id } = saver.caller.customer;
    return this.#change(saver, name, async (control, existing) => {
      checkTag(existing);
      if (existing === undefined) await refuseTooMany(control, id);
      await deleteOf(control, id, name);
      await control
        .insertInto('questions')
        .values({ name, customer_id: id, document, outcomes: JSON.stringify(outcomes), saved_by: saver.caller.keyId })
        .execute();
      return { action: 'saved question', result: existing === undefined };
    });
  }

  /** Throws `operatorsQuestion`, `noQuestion`, and what `checkTag` throws. */
  async remove(saver: Saver, name: string, checkTag: CheckTag): Promise<void> {
    await this.#change(saver, name, async (control, existing) => {
      if (existing === undefined) throw new ApiError('noQuestion');
      checkTag(existing);
      await deleteOf(control, saver.caller.customer.id, name);
      return { action: 'removed question', result: undefined };
    });
  }

  async #change<T>(
    { caller: { customer, keyId }, address }: Saver,
    name: string,
    change: (control: Control, existing: string | undefined) => Promise<{ readonly action: string; readonly result: T }>,
  ): Promise<T> {
    const changed = await this.#control.transaction().execute(async (control) => {
      // Changes of one customer follow each other, so that counts and tags hold until the commit.
      await control.selectFrom('customers').select('id').where('id', '=', customer.id).forNoKeyUpdate().execute();
      const { action, result } = await change(control, await findTag(control, customer.id, name));
      await recordAction(control, { name: `key ${keyId}`, address }, action, questionSubject(name, customer.slug));
      return result;
    });
    this.#questions.forget(customer.id);
    return changed;
  }
}

/** The tag of the customer's question. Throws `operatorsQuestion` if the operator saved one of this name. */
const findTag = async (control: Control, customerId: number, name: string): Promise<string | undefined> => {
  const found = await control
    .selectFrom('questions')
    .select(['document', 'saved_by'])
    .where('name', '=', name)
    .where((where) => where.or([where('customer_id', 'is', null), where('customer_id', '=', customerId)]))
    .execute();
  if (found.some(({ saved_by }) => saved_by === null)) throw new ApiError('operatorsQuestion', 'this question');
  return found[0] && questionTag(found[0]);
};

const refuseTooMany = async (control: Control, customerId: number): Promise<void> => {
  const { count } = await control
    .selectFrom('questions')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('customer_id', '=', customerId)
    .where('saved_by', 'is not', null)
    .executeTakeFirstOrThrow();
  if (Number(count) >= questionLimits.ofCustomer) throw new ApiError('tooManyQuestions', String(questionLimits.ofCustomer));
};

const deleteOf = async (control: Control, customerId: number, name: string): Promise<void> => {
  await control.deleteFrom('questions').where('name', '=', name).where('customer_id', '=', customerId).execute();
};
