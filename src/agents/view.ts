/** What one caller sees through the tools: its tables within tier and data scope (contract: tools for agents). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { Directories } from '../cache/directory.ts';
import type { Versions } from '../cache/versions.ts';
import { catalogueWithin, isNarrowed } from '../catalogue/data-scope.ts';
import type { Catalogue, ResolvedRelation } from '../catalogue/index.ts';
import type { Table } from '../catalogue/table.ts';
import type { RequestContext } from '../execute/connections.ts';
import type { ReaderContext } from '../execute/reader.ts';
import { presentTables, type ReadableCategoryTable, readableCategoryTable, readableTables, relationsAmong } from '../execute/visible.ts';
import { callerOf } from '../http/gate.ts';
import { requestContextOf } from '../http/request-context.ts';

/** A question with its document, which the service comes with. */
export interface ShippedQuestion {
  readonly name: string;
  readonly document: string;
}

/** A question that the key may ask. */
export interface AskableQuestion {
  readonly name: string;
  /** A text of a key or of the operator. It is data, and never a part of a description. */
  readonly title: string;
  readonly variables: readonly { readonly name: string; readonly type: string }[];
}

/** Asks questions. GraphQL provides it, which agents do not import. */
export interface Asker<Q extends AskableQuestion = AskableQuestion> {
  /** The saved questions of the customer, then those of `shipped` whose names are free. */
  listWith(request: FastifyRequest, reply: FastifyReply, shipped: readonly ShippedQuestion[]): Promise<readonly Q[]>;
  /** The JSON of the data, and the number of rows that were read. */
  askJson(
    request: FastifyRequest,
    reply: FastifyReply,
    question: Q,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly json: string; readonly rows: number }>;
}

/** The services that the tools use. */
export interface AgentServices {
  readonly catalogue: Catalogue;
  readonly directories: Directories;
  readonly reading: ReaderContext;
  readonly versions: Versions;
  readonly asker: Asker;
  /** The example documents. */
  readonly shipped: readonly ShippedQuestion[];
}

/** One request of an agent, and what it may read. */
export interface AgentView {
  readonly services: AgentServices;
  readonly caller: Caller;
  readonly requestContext: RequestContext;
  /** The catalogue within the data scope of the key. */
  readonly catalogue: Catalogue;
  /** The category tables that the key may read, in catalogue order. */
  readonly tables: readonly Table[];
  /** Relations of a table that lead to those tables. */
  readonly relationsOf: (table: string) => readonly ResolvedRelation[];
  readonly questions: readonly AskableQuestion[];
  /** Asks one of `questions`. */
  readonly ask: (
    question: AskableQuestion,
    variables: Readonly<Record<string, unknown>>,
  ) => Promise<{ readonly json: string; readonly rows: number }>;
  /** The table of this name. Throws 404 if there is none, 403 if the key excludes it. */
  readonly tableOf: (name: string) => ReadableCategoryTable;
}

export const agentViewOf = async (services: AgentServices, request: FastifyRequest, reply: FastifyReply): Promise<AgentView> => {
  const caller = callerOf(request);
  const directory = await services.directories.of(caller.customer);
  const catalogue = catalogueWithin(services.catalogue, caller.scope);
  const tables = readableTables(presentTables(catalogue, directory), caller.tier);
  return {
    services,
    caller,
    requestContext: requestContextOf(request, reply),
    catalogue,
    tables,
    relationsOf: relationsAmong(catalogue, tables),
    questions: await services.asker.listWith(request, reply, services.shipped),
    ask: (question, variables) => services.asker.askJson(request, reply, question, variables),
    tableOf: (name) => readableCategoryTable(services.catalogue, directory, caller, { name, group: 'agents' }),
  };
};

/** Tables whose changes the key may read (contract: property sets). */
export const tablesWithChanges = ({ tables, caller: { scope } }: AgentView): readonly Table[] =>
  tables.filter(({ name }) => !isNarrowed(scope, 'category', name));
