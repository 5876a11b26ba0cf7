/**
 * What a schema makes of the document of a question: its variables, or that it is not valid. The outcome is kept with the question under
 * the digest of the schema, so that lists parse nothing. A version with another schema checks again, once (contract: saved questions).
 */
import { hash } from 'node:crypto';
import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
  version,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { NamedDocument, QuestionOutcome, Questions, SavedQuestion } from '../../access/questions.ts';
import type { RequestContext } from '../../execute/connections.ts';
import { runInSlice } from '../../scheduling/time-slices.ts';
import { limits } from '../document/limits.ts';
import type { ServedSchema } from '../schemas.ts';
import { questionTablesOf, typeText, variablesOf } from './document.ts';

/** The fields, arguments and values of a type, with their types. */
const shapeOf = (type: GraphQLNamedType): unknown => {
  if (isEnumType(type)) return type.getValues().map(({ name }) => name);
  if (isInputObjectType(type)) return Object.values(type.getFields()).map(({ name, type: of }) => `${name}:${of}`);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).map(({ name, type: of, args }) => [
    `${name}:${of}`,
    args.map(({ name: argument, type: takes, defaultValue }) => `${argument}:${takes}${defaultValue === undefined ? '' : '='}`),
  ]);
};

const digests = new WeakMap<GraphQLSchema, string>();

/** Equal for schemas in which the same documents are valid. The limits of documents are a part of it. */
export const schemaDigest = (schema: GraphQLSchema): string => {
  const known = digests.get(schema);
  if (known) return known;
  const types = Object.values(schema.getTypeMap()).map((type) => [type.name, shapeOf(type)]);
  const digest = hash('sha256', JSON.stringify([version, limits, types]), 'base64url').slice(0, 22);
  digests.set(schema, digest);
  return digest;
};

/** The outcome of a document that is valid in the schema. */
export const outcomeOf = (schema: GraphQLSchema, document: DocumentNode): NonNullable<QuestionOutcome> => ({
  variables: variablesOf(document).map(({ variable, type }) => ({ name: variable.name.value, type: typeText(type) })),
  lists: questionTablesOf(schema, document).length,
});

/** The names of a question's variables, which are the same in every schema. A document without an outcome is parsed in a time slice. */
export const variableNames = async ({ document, outcomes }: Pick<SavedQuestion, 'document' | 'outcomes'>): Promise<readonly string[]> => {
  const known = Object.values(outcomes).find((outcome) => outcome !== null);
  if (known) return known.variables.map(({ name }) => name);
  return runInSlice('variables of questions', () => variablesOf(parse(document)).map(({ variable }) => variable.name.value));
};

/** Enough for the questions of many customers in several schemas. */
const maxOutcomes = 20_000;

/** Who asks for outcomes. */
export interface OutcomeReader {
  readonly served: ServedSchema;
  readonly requestContext: RequestContext;
}

/** The outcomes of questions: those that are kept with them, and otherwise those of a check now. */
export class OutcomesByDigest {
  readonly #questions: Pick<Questions, 'keepOutcomes'>;
  /** The outcomes of checks, by schema and document. Questions of the program are kept here only. */
  readonly #checked = new LRUCache<string, { readonly outcome: QuestionOutcome }>({ max: maxOutcomes });

  constructor(questions: Pick<Questions, 'keepOutcomes'>) {
    this.#questions = questions;
  }

  /** The questions that are valid in the schema, with their outcomes. */
  async valid<Q extends NamedDocument & Partial<SavedQuestion>>(
    questions: readonly Q[],
    reader: OutcomeReader,
  ): Promise<readonly (Q & NonNullable<QuestionOutcome>)[]> {
    const digest = schemaDigest(reader.served.schema);
    const made = new Map<number, QuestionOutcome>();
    const valid: (Q & NonNullable<QuestionOutcome>)[] = [];
    for (const question of questions) {
      const { id, outcomes } = question;
      const known = outcomes?.[digest];
      const outcome = known === undefined ? await this.#check(question, digest, reader) : known;
      if (known === undefined && id !== undefined) made.set(id, outcome);
      if (outcome) valid.push({ ...question, ...outcome });
    }
    if (made.size > 0) await this.#questions.keepOutcomes(digest, made);
    return valid;
  }

  async #check({ document }: NamedDocument, digest: string, { served, requestContext }: OutcomeReader): Promise<QuestionOutcome> {
    const key = `${digest} ${hash('sha256', document, 'base64url')}`;
    const known = this.#checked.get(key);
    if (known) return known.outcome;
    const prepared = await served.documents.prepare(document, requestContext);
    const outcome = 'errors' in prepared ? null : outcomeOf(served.schema, prepared.document);
    this.#checked.set(key, { outcome });
    return outcome;
  }
}
