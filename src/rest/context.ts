/** What the REST routes work with. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Catalogue } from '../catalogue/index.ts';
import type { Database } from '../database/connection.ts';
import { signalOf } from '../http/abandoned.ts';
import { callerOf } from '../http/gate.ts';
import type { Asker } from '../read/connections.ts';
import type { Directories } from '../read/directory.ts';
import type { KeptAnswers } from '../read/kept.ts';
import type { ReaderContext } from '../read/reader.ts';
import type { Versions } from '../read/versions.ts';
import type { AskedPages } from './asked-page.ts';

export interface RestContext {
  readonly catalogue: Catalogue;
  readonly database: Database;
  readonly directories: Directories;
  readonly kept: KeptAnswers;
  readonly pages: AskedPages;
  readonly reading: ReaderContext;
  readonly versions: Versions;
}

export type Routes = (app: FastifyInstance, context: RestContext) => void;

/** The query string; the server parses it into this. */
export const queryOf = (request: FastifyRequest): URLSearchParams => request.query as URLSearchParams;

/** On whose behalf a request reads, and whether anybody still waits for its answer. */
export const askerOf = (request: FastifyRequest, reply: FastifyReply): Asker => ({
  customerId: callerOf(request).customer.id,
  signal: signalOf(reply),
  timing: request.timing,
});
