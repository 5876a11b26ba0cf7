/** Random GraphQL documents over all tables: every kind of root field, conditional fields, fragments, and pages of relations. */
import { randomDocument } from '../../test/graphql/documents.ts';
import { ReferenceExecution } from '../../test/graphql/reference-execution.ts';
import type { ApiRequest, Send } from '../same-answers/client.ts';
import { document } from '../same-answers/documents.ts';

/** The number of documents, and the first seed. */
const documents = 3_000;
const firstSeed = 26_000_000;

/** A few documents are invalid, or exceed a limit. Both services must refuse these in the same way. */
export const randomRequests = async (send: Send): Promise<readonly ApiRequest[]> => {
  const { schema, samples } = await ReferenceExecution.over(
    async (query) => JSON.parse((await send(document(query))).body.toString()).data,
  );
  return Array.from({ length: documents }, (_, index) => document(randomDocument(schema, samples, firstSeed + index), 'enterprise', 'any'));
};
