/** Writes results: the bytes of `data` go between two texts, and Yoga decides the status and the headers (contract: GraphQL requests). */
import { GraphQLError } from 'graphql';
import { type FetchAPI, type Plugin, processRegularResult } from 'graphql-yoga';
import { lengthOf } from '../../body.ts';
import { enclose } from '../../http/responses/send.ts';
import type { Result, WrittenData } from '../context.ts';
import { shownErrors } from '../errors.ts';
import type { MediaType, ServerContext } from './exchange.ts';

/** The text around an answer. An event stream has one event, because no answer has several parts. */
const frames: Readonly<Record<MediaType, readonly [before: string, after: string]>> = {
  'application/json': ['', ''],
  'application/graphql-response+json': ['', ''],
  'text/event-stream': ['event: next\ndata: ', '\n\nevent: complete\ndata:\n\n'],
};

/** Writes members that follow another member. */
const furtherMembers = (members: object): string => {
  const text = JSON.stringify(members).slice(1);
  return text === '}' ? text : `,${text}`;
};

/** A stream reads ahead, but a chunk is valid only until the next one is requested. */
async function* copies(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

/** Passing a longer body by reference costs less than a copy of it. */
const longestCopy = 16 * 1024;

/** Yoga's `Response` takes no list of buffers. */
async function* inOrder(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

const bytesBetween = (before: string, { chunks }: WrittenData, after: string): Buffer | AsyncIterable<Buffer> => {
  const [head, tail] = [Buffer.from(before), Buffer.from(after)];
  const body = enclose(head, chunks, () => tail);
  if (Symbol.asyncIterator in body) return copies(body);
  return lengthOf(body) > longestCopy ? inOrder(body) : Buffer.concat(body);
};

/** The bytes of a response whose data is in memory. They are valid until the data is released. */
export const bytesOf = async (response: Response): Promise<readonly Buffer[]> => {
  if (!response.headers.has('content-length')) {
    const chunks: Buffer[] = [];
    for await (const chunk of response.body as unknown as AsyncIterable<Buffer>) chunks.push(chunk);
    return chunks;
  }
  const { buffer, byteOffset, byteLength } = await response.bytes();
  return [Buffer.from(buffer, byteOffset, byteLength)];
};

/** Yoga takes status and headers from the extensions of errors. Their locations would be computed again. */
const headOf = (errors: readonly GraphQLError[], fetchAPI: FetchAPI, type: MediaType) => {
  const isEvents = type === 'text/event-stream';
  const plain = errors.map(({ extensions }) => new GraphQLError('', { extensions }));
  const result = { ...(plain.length > 0 && { errors: plain }), stringify: () => '' };
  // An event stream has the statuses of plain JSON.
  const { status, headers } = processRegularResult(result, fetchAPI, isEvents ? 'application/json' : type);
  const named = Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), value]));
  return { status, headers: isEvents ? { ...named, 'content-type': type } : named };
};

const respond = ({ data, errors = [], extensions }: Result, fetchAPI: FetchAPI, type: MediaType): Response => {
  const shown = errors.length > 0 ? shownErrors(errors) : undefined;
  const [before, after] = frames[type];
  const body = data
    ? bytesBetween(`${before}{"data":`, data, `${furtherMembers({ errors: shown, extensions })}${after}`)
    : `${before}${JSON.stringify({ errors: shown, data, extensions })}${after}`;
  // The types of the Fetch API leave out iterables, which Node's own Response takes as well.
  return new fetchAPI.Response(body as BodyInit, headOf(errors, fetchAPI, type));
};

/** Every answer has the media type that the route has chosen. */
export const useBytes = (): Plugin<ServerContext, ServerContext> => ({
  onResultProcess: ({ serverContext: { exchange }, setResultProcessor }) =>
    setResultProcessor((result, fetchAPI) => respond(result as Result, fetchAPI, exchange.mediaType), exchange.mediaType),
});
