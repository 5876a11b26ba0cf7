/**
 * Persisted operations: the documents of a folder. Clients request them by the SHA-256 of their text, as the links of Apollo and urql do.
 * With `PERSISTED_ONLY`, no other document is executed.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GraphQLError, parse, print } from 'graphql';
import { OperatorError } from '../../errors.ts';
import { badRequest, type Parameters } from './parameters.ts';

export interface PersistedOptions {
  readonly documents: ReadonlyMap<string, string>;
  /** Whether only persisted operations are executed. */
  readonly isRequired: boolean;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The `.graphql` files of a folder, by the hash of their text and by the hash of the text as clients print it. */
export const readPersisted = (folder: string): ReadonlyMap<string, string> => {
  const documents = new Map<string, string>();
  if (folder === '') return documents;
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.graphql'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    try {
      for (const spelling of [text, text.trim(), print(parse(text))]) documents.set(hash(spelling), text);
    } catch (error) {
      throw new OperatorError(`PERSISTED_DIR: ${name} is no GraphQL document: ${(error as Error).message}`);
    }
  }
  return documents;
};

/** The messages and codes that clients recognize. After the first two, they send the text of the document. */
const refusals = {
  PersistedQueryNotFound: { code: 'PERSISTED_QUERY_NOT_FOUND' },
  PersistedQueryNotSupported: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
  PersistedQueryKeyNotFound: { code: 'PERSISTED_QUERY_ID_REQUIRED', http: { status: 400 } },
  PersistedQueryOnly: { code: 'CANNOT_SEND_PQ_ID_AND_BODY' },
} as const;

const refusal = (message: keyof typeof refusals): GraphQLError => new GraphQLError(message, { extensions: refusals[message] });

const hashOf = ({ extensions }: Parameters): string | undefined => {
  const { version, sha256Hash } = (extensions?.persistedQuery ?? {}) as { readonly version?: unknown; readonly sha256Hash?: unknown };
  return version === 1 && typeof sha256Hash === 'string' ? sha256Hash : undefined;
};

/** The text of the requested document. Throws a `GraphQLError` if there is none. */
export const documentText = (parameters: Parameters, { documents, isRequired }: PersistedOptions): string => {
  const { query } = parameters;
  if (query !== undefined) {
    if (isRequired) throw refusal('PersistedQueryOnly');
    return query;
  }
  const requested = hashOf(parameters);
  if (requested === undefined) throw isRequired ? refusal('PersistedQueryKeyNotFound') : badRequest('The parameter "query" is missing');
  const text = documents.get(requested);
  if (text === undefined) throw refusal(documents.size > 0 || isRequired ? 'PersistedQueryNotFound' : 'PersistedQueryNotSupported');
  return text;
};
