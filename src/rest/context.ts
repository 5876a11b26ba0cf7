/** The services that the REST routes use. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Directories } from '../cache/directory.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { Versions } from '../cache/versions.ts';
import { catalogueWithin } from '../catalogue/data-scope.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { Database } from '../database/connections/connection.ts';
import type { ReaderContext } from '../execute/reader.ts';
import type { FileBuilds } from '../files/builds.ts';
import type { FileStore } from '../files/store/file-store.ts';
import { callerOf } from '../http/gate.ts';
import type { PagePlanCache } from './page-plans.ts';

export interface RestContext {
  readonly catalogue: Catalogue;
  readonly database: Database;
  readonly directories: Directories;
  readonly responseCache: ResponseCache;
  readonly pages: PagePlanCache;
  readonly reading: ReaderContext;
  readonly versions: Versions;
  readonly files: { readonly store: FileStore; readonly builds: FileBuilds };
}

export type Routes = (app: FastifyInstance, context: RestContext) => void;

/** The parsed query string. */
export const queryParametersOf = (request: FastifyRequest): URLSearchParams => request.query as URLSearchParams;

/** The catalogue as the caller sees it. */
export const catalogueOfRequest = ({ catalogue }: RestContext, request: FastifyRequest): Catalogue =>
  catalogueWithin(catalogue, callerOf(request).scope);
