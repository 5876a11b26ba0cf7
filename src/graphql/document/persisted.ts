/**
 * Persisted operations: the documents of a folder. Clients request them by the SHA-256 of their text, as the links of Apollo and urql do.
 * With `PERSISTED_ONLY`, no other document is executed.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { parse, print } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { OperatorError } from '../../errors.ts';

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

/** The error for a request without a hash. It is a 400, but an unknown hash is an ordinary GraphQL response. */
const keyNotFound = { message: 'PersistedQueryKeyNotFound', extensions: { code: 'PERSISTED_QUERY_ID_REQUIRED', http: { status: 400 } } };

export const usePersisted = ({ documents, isRequired }: PersistedOptions): Plugin[] =>
  documents.size === 0 && !isRequired
    ? []
    : [
        usePersistedOperations({
          allowArbitraryOperations: !isRequired,
          getPersistedOperation: (key) => documents.get(key) ?? null,
          customErrors: { keyNotFound },
        }),
      ];
