/** Deltas, described: what a client needs to keep a copy without downloading the table again (contract: deltas). */
import { type Examples, type OpenApiOperation, type ParameterObject, type ReferenceObject, ref, type Schema } from '../document.ts';
import { type ExampleRow, exampleState } from '../examples.ts';
import { headersOf } from '../headers.ts';
import { operation } from '../operation.ts';

export const deltaParameters: Record<string, ParameterObject> = {
  sinceVersion: {
    name: 'since_version',
    in: 'query',
    required: true,
    description: 'The version of the copy: `X-Data-Version` of the download, then `to_version` of the last delta.',
    schema: { type: 'integer', minimum: 0 },
  },
  deltaCursor: {
    name: 'cursor',
    in: 'query',
    description: 'The `next_cursor` of the previous page. It is valid for the same table and `since_version`.',
    schema: { type: 'string' },
  },
};

interface DeltaTable {
  readonly tag: string;
  readonly operationId: string;
  readonly summary: string;
  /** The path parameter that names the table, if the path has one. */
  readonly path?: ReferenceObject;
  readonly row: Schema | ReferenceObject;
  /** What a key looks like. */
  readonly key: Schema;
  readonly examples?: Examples;
}

const version: Schema = { type: 'integer', minimum: 0 };

const envelope = ({ row, key }: Pick<DeltaTable, 'row' | 'key'>): Schema => ({
  type: 'object',
  required: ['from_version', 'to_version', 'upserts', 'deletes', 'next_cursor'],
  properties: {
    from_version: { ...version, description: '`since_version`' },
    to_version: { ...version, description: 'version that the copy is at when the walk is done; the first page fixes it' },
    upserts: { type: 'array', items: row, description: 'rows inserted or updated' },
    deletes: { type: 'array', items: key, description: 'keys of rows deleted' },
    next_cursor: { type: ['string', 'null'], description: 'cursor for the next page; null on the last page' },
  },
});

export const exampleSinceVersion = exampleState.version - 1;

/** The change that inserted the row. */
export const exampleDeltas = (row: ExampleRow) => ({
  from_version: exampleSinceVersion,
  to_version: exampleState.version,
  upserts: [row],
  deletes: [],
  next_cursor: null,
});

/** `GET …/deltas` of a table. */
export const deltaOperation = ({ tag, operationId, summary, path, row, key, examples }: DeltaTable): OpenApiOperation =>
  operation({
    tag,
    operationId,
    summary,
    description: 'Apply `upserts` and `deletes` of each page in order. Follow `next_cursor` until it is null.',
    parameters: [...(path ? [path] : []), ref('parameters', 'sinceVersion'), ref('parameters', 'limit'), ref('parameters', 'deltaCursor')],
    ok: {
      description: 'A page of changes.',
      headers: headersOf('X-Snapshot-At', 'X-Data-Version'),
      content: { 'application/json': { schema: envelope({ row, key }), ...(examples && { examples }) } },
    },
    problems: { 404: 'NotFound', 410: 'Gone', 422: 'InvalidVersion', 503: 'Busy' },
  });
