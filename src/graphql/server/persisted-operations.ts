/**
 * Persisted operations: the documents of a folder. Clients request them by the SHA-256 of their text, as the links of Apollo and urql do.
 * With `PERSISTED_ONLY`, no other document is executed.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { GraphQLError, parse, print } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { OperatorError } from '../../errors.ts';
import { badRequest } from '../errors.ts';

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

const refusal = (message: keyof typeof refusals) => () => new GraphQLError(message, { extensions: refusals[message] });

/** Replaces the hash of a request by the text of its document. */
export const usePersisted = ({ documents, isRequired }: PersistedOptions): Plugin =>
  usePersistedOperations({
    allowArbitraryOperations: !isRequired,
    getPersistedOperation: (key) => documents.get(key) ?? null,
    customErrors: {
      notFound: refusal(documents.size > 0 || isRequired ? 'PersistedQueryNotFound' : 'PersistedQueryNotSupported'),
      keyNotFound: isRequired ? refusal('PersistedQueryKeyNotFound') : () => badRequest('The parameter "query" is missing'),
      persistedQueryOnly: refusal('PersistedQueryOnly'),
    },
  });
