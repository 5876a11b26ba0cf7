/**
 * Reads all rows of a table in one snapshot, for a file (contract: files). Required filters do not apply, because a file holds the whole table.
 *
 * The database is read at its own speed into a spool, so a slow writer of a file holds neither a connection nor a lock.
 */
import { type DatasetState, datasetsOf, readColumnTypes, runControlQuery, stateColumns } from '../database/control/datasets.ts';
import { type PlanSource, sortOrder, tableRefsOf } from '../plan/plan.ts';
import { statementFor } from '../sql/statement.ts';
import type { RowForm } from '../wire/row-format.ts';
import type { RequestContext } from './connections.ts';
import { checkOwner, type ReaderContext } from './reader.ts';
import type { SummarizedPage } from './summary.ts';

/** The state of the rows, and the SQL types of the table's columns. */
export interface WholeTableSummary extends Pick<DatasetState, 'version' | 'row_count' | 'synced_at'> {
  readonly types: ReadonlyMap<string, string>;
}

export type WholeTable = WholeTableSummary & Pick<SummarizedPage, 'count' | 'body' | 'cancel'>;

/**
 * The pause after each chunk of a small table, and the time that all pauses of a large one may take. With them, reading uses about a quarter of
 * the event loop's time. It must stay far below the time limit of a statement, and a load waits for it.
 */
const longestPauseMs = 5;
const allPausesMs = 20_000;
/** A chunk is as large as what the socket delivers at once. Requests wait for one chunk at most. */
const chunkSize = 64 * 1024;
/** The number of rows of a chunk, roughly. */
const rowsPerChunk = 300;

export interface WholeTableRequest {
  readonly source: PlanSource;
  readonly columns: readonly string[];
  readonly form: RowForm;
  /** The folder of the spool's file. */
  readonly folder: string;
}

/** Starts to read a table. Throws `busy`, `timeout` and `abandoned` as pages do. */
export const readWholeTable = (
  { largePages }: Pick<ReaderContext, 'largePages'>,
  requestContext: RequestContext,
  { source, columns, form, folder }: WholeTableRequest,
): Promise<WholeTable> => {
  const limit = Number.MAX_SAFE_INTEGER;
  const plan = { source, columns, where: undefined, order: sortOrder(source), after: undefined, offset: 0, limit, joinedRows: [] };
  checkOwner(plan, requestContext);
  const { schema, kind, name } = source;
  return largePages.stream({
    requestContext,
    tables: tableRefsOf(plan),
    summarise: async (client): Promise<WholeTableSummary> => {
      const [state] = await runControlQuery(client, datasetsOf(schema, kind, name).select(stateColumns));
      const types = await readColumnTypes(client, schema, name);
      return { version: state?.version ?? 0, row_count: state?.row_count ?? 0, synced_at: state?.synced_at ?? null, types };
    },
    statement: () => statementFor({ queryKind: 'rows', plan, limit }),
    limit,
    form,
    folder,
    pace: { chunkSize, pauseMs: ({ row_count }) => Math.min(longestPauseMs, allPausesMs / (1 + row_count / rowsPerChunk)) },
  });
};
