/** `GET /changes`: which tables' data changed since a point in time, now or as soon as some do (contract: changes; since; waiting for changes). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { changes } from '../answers/changes.ts';
import type { AnswerBody } from '../answers/values.ts';
import type { CurrentStates, News } from '../cache/watches.ts';
import type { DatasetKind } from '../catalogue/table.ts';
import { type DatasetState, readDatasetStates } from '../database/control/datasets.ts';
import { readPresent } from '../database/control/publications.ts';
import { ApiError } from '../errors.ts';
import { changedSince, readStatesOf } from '../execute/freshness.ts';
import { type ListedTable, listReadable } from '../execute/visible.ts';
import { callerOf, type Gate } from '../http/gate.ts';
import { applyWait, preferredWait } from '../http/prefer.ts';
import { disconnectSignalOf, requestContextOf } from '../http/request-context.ts';
import { parseChanges, waitLimit } from '../query/parameters.ts';
import { queryParametersOf, type RestContext } from './context.ts';
import { setCaching } from './respond.ts';

type Context = RestContext & { readonly gate: Pick<Gate, 'admitAgain'> };

/** The states of tables at a time before which no change is dated that they lack. */
interface Current {
  readonly present: Date;
  readonly stateOf: (kind: DatasetKind, name: string) => DatasetState | undefined;
}

const listTables = async ({ catalogue, directories }: Context, caller: Caller): Promise<readonly ListedTable[]> =>
  listReadable(catalogue, await directories.of(caller.customer), caller);

const readCurrent = (context: Context, request: FastifyRequest, reply: FastifyReply, tables: readonly ListedTable[]): Promise<Current> => {
  const { customer } = callerOf(request);
  return context.reading.connections.within('pages', requestContextOf(request, reply), async () => {
    // Detects restored data. In this case, every table has changed.
    await context.versions.of(customer.id);
    const present = await readPresent(context.database.pool, customer.id);
    return { present, stateOf: await readStatesOf(tables, (kind) => readDatasetStates(context.database, customer, kind)) };
  });
};

/**
 * Waits until there is news that counts, `seconds` have passed, the key expires, the service stops, or the database does not answer.
 * Throws `busy` if the key has too many such requests, `abandoned` if the client leaves. Meanwhile the request holds nothing but its connection.
 */
const awaitNews = async (
  { versions }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { seconds, isNewer }: { readonly seconds: number; readonly isNewer: (news: News) => boolean },
): Promise<News | undefined> => {
  const { customer, expiresAt } = callerOf(request);
  const leftMs = expiresAt ? expiresAt.getTime() - Date.now() : Number.POSITIVE_INFINITY;
  const left = disconnectSignalOf(reply);
  const resume = request.inFlight?.wait();
  let end = (): void => {};
  try {
    return await new Promise<News | undefined>((resolve, reject) => {
      const abandon = () => reject(new ApiError('abandoned'));
      const timer = setTimeout(resolve, Math.max(0, Math.min(seconds * 1_000, leftMs)));
      left.addEventListener('abort', abandon);
      const unwatch = versions.watch(customer.id, (news) => {
        if (isNewer(news)) resolve(news);
      });
      end = () => {
        clearTimeout(timer);
        left.removeEventListener('abort', abandon);
        unwatch();
      };
      if (left.aborted) abandon();
    });
  } finally {
    end();
    resume?.();
  }
};

export const changesRoutes = (app: FastifyInstance, context: Context): void => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/changes',
    handler: async (request, reply) => {
      const query = queryParametersOf(request);
      const { since, wait } = parseChanges(query);
      const preferred = query.has('wait') ? undefined : preferredWait(request, waitLimit.max);
      if (preferred !== undefined) applyWait(reply, preferred);
      const tables = await listTables(context, callerOf(request));
      const answer = (tables: readonly ListedTable[], { present, stateOf }: Current, from = since): AnswerBody<typeof changes> => ({
        since,
        generated_at: present,
        changes: changedSince(tables, stateOf, from, callerOf(request).scope).map((change) => ({
          ...change,
          endpoint_url: app.publicUrl.to(change.endpoint_url),
        })),
      });
      const send = (body: ReturnType<typeof answer>) => setCaching(reply).send(body);
      const first = await readCurrent(context, request, reply, tables);
      const unchanged = answer(tables, first);
      const seconds = preferred ?? wait;
      if (seconds === 0 || unchanged.changes.length > 0) return send(unchanged);
      // A change may be dated before a `since` in the future. The next `since` would skip it.
      const from = since < first.present ? since : first.present;
      const currentOf = ({ present, states }: CurrentStates): Current => ({ present, stateOf: (kind, name) => states.get(kind, name) });
      const news = await awaitNews(context, request, reply, {
        seconds,
        isNewer: (news) => typeof news === 'string' || answer(tables, currentOf(news), from).changes.length > 0,
      });
      await context.gate.admitAgain(request);
      const readable = await listTables(context, callerOf(request));
      if (news === 'lost') return send(answer(readable, await readCurrent(context, request, reply, readable), from));
      if (typeof news !== 'object') return send(answer(readable, first));
      return send(answer(readable, currentOf(news), from));
    },
  });
};
