/** `GET /prints?address=…`: a REST address of rows or groups as a GraphQL document, as programs, and as the call of an agent (contract: prints). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { prints } from '../answers/prints.ts';
import type { AnswerBody } from '../answers/values.ts';
import type { Directories } from '../cache/directory.ts';
import { catalogueWithin } from '../catalogue/data-scope.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { ApiError } from '../errors.ts';
import { presentTables, readableCategoryTable, readableTables, relationsAmong } from '../execute/visible.ts';
import { type WrittenDocument, writtenDocument } from '../graphql/print/document.ts';
import { callerOf } from '../http/gate.ts';
import type { Cursors } from '../plan/cursor.ts';
import { validationMessage, validationTexts } from '../plan/validation-errors.ts';
import { type Address, planOfAddress, readAddress } from '../query/address.ts';
import { lastValue } from '../query/parameters.ts';
import { Unwritable } from '../query/write/conditions.ts';
import { writtenAddress } from '../query/write/rows.ts';
import { runInSlice } from '../scheduling/time-slices.ts';
import { agentCallOf } from './agent-call.ts';
import { printedPrograms } from './programs.ts';

export interface PrintOptions {
  readonly catalogue: Catalogue;
  readonly directories: Directories;
  readonly reading: { readonly cursors: Cursors };
}

const refuse = (reason: string): ApiError => new ApiError('invalidParameter', validationMessage('address', reason));

/** The parts of an address. Throws 422 for one that is not of rows or groups. */
const addressIn = (text: string | undefined): Address => {
  if (!text) throw refuse(validationTexts.missing);
  const address = readAddress(text);
  if (address) return address;
  throw refuse('Input should be a path of rows or groups with its query string, such as /operations/orders?status=new');
};

/** The document, or the reason why GraphQL has none. */
const documentOr = (write: () => WrittenDocument): { readonly graphql: string | null; readonly notes: readonly string[] } => {
  try {
    const { document, notes } = write();
    return { graphql: document, notes };
  } catch (error) {
    if (!(error instanceof Unwritable)) throw error;
    return { graphql: null, notes: [`${error.message}.`] };
  }
};

const print = async (
  { catalogue: whole, directories, reading }: PrintOptions,
  request: FastifyRequest,
): Promise<AnswerBody<typeof prints>> => {
  const caller = callerOf(request);
  const text = lastValue(request.query as URLSearchParams, 'address');
  const read = addressIn(text);
  const { path, category, name, hasGroups, query } = read;
  if (whole.tables.get(name)?.category !== category) throw new ApiError('notFound');
  const directory = await directories.of(caller.customer);
  const { source, table } = readableCategoryTable(whole, directory, caller, { name, group: 'rest' });
  const catalogue = catalogueWithin(whole, caller.scope);
  const relationsOf = relationsAmong(catalogue, readableTables(presentTables(catalogue, directory), caller.tier));
  return runInSlice(caller.customer.id, () => {
    const named = planOfAddress(read, reading.cursors, { source, table, tables: catalogue.tables, relationsOf });
    const address = writtenAddress(path, query);
    return {
      address,
      ...documentOr(() => writtenDocument(named, table, relationsOf)),
      ...printedPrograms({ origin: request.server.publicUrl.address, address }),
      agent: agentCallOf(table, query, hasGroups) ?? null,
    };
  });
};

export const printRoutes = (app: FastifyInstance, options: PrintOptions): void => {
  app.route({ method: ['GET', 'HEAD'], url: '/prints', handler: async (request, reply) => reply.send(await print(options, request)) });
};
