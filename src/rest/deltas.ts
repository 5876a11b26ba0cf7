/**
 * `GET /raw/{table}/deltas` and `GET /{category}/{table}/deltas`: what changed since a version (contract: deltas).
 *
 * Access, tiers and limits are those of the table itself. Required filters do not apply: a copy is of the whole table.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kind } from '../catalogue/column.ts';
import { integerPattern } from '../catalogue/kinds.ts';
import { sendRows } from '../http/send.ts';
import type { Cursors } from '../read/cursor.ts';
import { type DeltaPage, type DeltaPlan, type DeltaPosition, readDeltaSummary, readDeltas } from '../read/deltas.ts';
import { Faults, violations } from '../read/faults.ts';
import { integerParameter, lastOf } from '../read/parameters.ts';
import { type CategoryRequest, categoryTableOf } from './category.ts';
import { askerOf, queryOf, type RestContext, type Routes } from './context.ts';
import { setCaching, setVersion } from './headers.ts';
import { type RawRequest, rawDatasetOf } from './raw.ts';

type Table = Pick<DeltaPlan, 'source' | 'key' | 'columns'>;

/** The version that the client's copy is at; 0 where it is missing or wrong, which is noted. */
const sinceVersion = (query: URLSearchParams, faults: Faults): number => {
  const text = lastOf(query, 'since_version');
  if (text === undefined) faults.add('since_version', violations.missing);
  else if (!integerPattern.test(text)) faults.add('since_version', violations.noInteger);
  else if (Number(text) < 0) faults.add('since_version', violations.below(0));
  // Beyond what a version can be, hence newer than the data.
  else return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  return 0;
};

/** What a cursor is bound to: the table and the version that its walk began at. */
const scopeOf = ({ source }: Table, since: number): string =>
  JSON.stringify(['deltas', source.customerId, source.kind, source.name, since]);

const openCursor = (cursors: Cursors, scope: string, cursor: string): DeltaPosition | undefined => {
  const text = cursors.open(scope, cursor);
  if (text === undefined) return undefined;
  const [to, version, key] = JSON.parse(text) as [number, number, string];
  return { to, version, key };
};

const parseDeltaPlan = (cursors: Cursors, table: Table, query: URLSearchParams): DeltaPlan => {
  const faults = new Faults();
  const since = sinceVersion(query, faults);
  const limit = integerParameter(query, 'limit', faults);
  const cursor = lastOf(query, 'cursor');
  const after = cursor ? openCursor(cursors, scopeOf(table, since), cursor) : undefined;
  if (cursor && !after) faults.add('cursor', 'The cursor is not valid for this table and this version');
  faults.throwIfAny();
  return { ...table, since, after, limit };
};

/** The rows and keys inside their envelope. */
async function* envelope({ to, deletes, body }: DeltaPage, since: number, cursor: string | undefined): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"from_version":${since},"to_version":${to},"upserts":`);
  yield* body;
  yield Buffer.from(`,"deletes":[${deletes.join()}],"next_cursor":${cursor === undefined ? 'null' : JSON.stringify(cursor)}}`);
}

const answer = async (context: RestContext, request: FastifyRequest, reply: FastifyReply, table: Table): Promise<FastifyReply> => {
  const { reading } = context;
  const asker = askerOf(request, reply);
  const plan = parseDeltaPlan(reading.cursors, table, queryOf(request));
  if (request.method === 'HEAD') {
    setVersion(reply, await readDeltaSummary(reading, asker, plan));
    return setCaching(reply).type('application/json; charset=utf-8').send();
  }
  const page = await readDeltas(reading, asker, plan);
  request.rowsSent = () => page.count;
  setVersion(reply, page);
  setCaching(reply).type('application/json; charset=utf-8');
  const { next } = page;
  const cursor = next && reading.cursors.sign(scopeOf(table, plan.since), JSON.stringify([next.to, next.version, next.key]));
  return sendRows(reply, page, envelope(page, plan.since, cursor));
};

export const deltaRoutes: Routes = (app, context) => {
  app.route<RawRequest>({
    method: ['GET', 'HEAD'],
    url: '/raw/:table/deltas',
    handler: async (request, reply) => {
      const { source, columns } = await rawDatasetOf(context, request);
      const key = { column: source.sort[0] as string, kind: 'bigint' as const };
      return answer(context, request, reply, { source, columns, key });
    },
  });
  app.route<CategoryRequest>({
    method: ['GET', 'HEAD'],
    url: '/:category/:table/deltas',
    handler: async (request, reply) => {
      const { table, source } = await categoryTableOf(context, request);
      const kind = (table.columns[table.key]?.kind ?? 'string') satisfies Kind;
      return answer(context, request, reply, { source, columns: Object.keys(table.columns), key: { column: table.key, kind } });
    },
  });
};
