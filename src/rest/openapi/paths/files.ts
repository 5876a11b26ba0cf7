/** Files, described (contract: files; building files; files and rights). */
import { buildingFile, tableFiles } from '../../../answers/files.ts';
import { type FileFormat, fileFormats, fileTypes } from '../../../files/formats.ts';
import { answerRef } from '../answers.ts';
import { type DocumentPart, type OpenApiOperation, type ParameterObject, type Response, ref } from '../document.ts';
import { headersOf } from '../headers.ts';
import { operation, pageParameters } from '../operation.ts';
import type { DescribedScope } from '../scope.ts';

export const filesTag = {
  name: 'files',
  description: 'Whole tables as files for programs that read Parquet, CSV or NDJSON. A file holds one data version and never changes.',
};

const list: OpenApiOperation = operation({
  tag: filesTag.name,
  operationId: 'listFiles',
  summary: 'Files that the key may read',
  description: 'The tables that have files for the key, each with its formats. A file is built when it is first requested.',
  ok: {
    description: 'The tables and their files.',
    headers: headersOf(),
    content: { 'application/json': { schema: { type: 'array', items: answerRef(tableFiles) } } },
  },
});

const building: Response = {
  description: 'The file is not built within 30 seconds, or the preferred wait; ask again after Retry-After.',
  headers: headersOf('Retry-After'),
  content: { 'application/json': { schema: answerRef(buildingFile) } },
};

const ranged = headersOf('ETag', 'X-Data-Version', 'X-Snapshot-At', 'Accept-Ranges', 'Content-Disposition', 'Repr-Digest');

const security = [{ 'X-API-Key': [] }, { Basic: [] }];

const content = (format: FileFormat) => ({ [fileTypes[format]]: { schema: { type: 'string', format: 'binary' } } });

/** `parquet` as `Parquet`, `csv.gz` as `CsvGz`. */
const nameOf = (format: FileFormat): string => format.replaceAll(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const read = (format: FileFormat, table: string, isRaw: boolean): OpenApiOperation =>
  operation({
    tag: filesTag.name,
    operationId: `read${isRaw ? 'Raw' : ''}${nameOf(format)}File`,
    summary: `A ${isRaw ? 'raw table' : 'table'} as ${format}`,
    description: 'The whole table at one data version, whatever filters it requires. `latest` redirects to the current version.',
    security,
    parameters: [
      ref('parameters', table),
      ref('parameters', 'fileVersion'),
      ref('parameters', 'range'),
      ref('parameters', 'preferWait'),
      ref('parameters', 'ifMatch'),
      ref('parameters', 'ifNoneMatch'),
    ],
    ok: { description: 'The file.', headers: ranged, content: content(format) },
    problems: {
      202: building,
      206: { description: 'The range of the file.', headers: { ...ranged, ...headersOf('Content-Range') }, content: content(format) },
      302: { description: 'The path of the current version, for `latest`.', headers: headersOf('Location') },
      304: 'NotModified',
      404: 'NotFound',
      412: 'PreconditionFailed',
      416: 'RangeNotSatisfiable',
      503: 'Busy',
    },
  });

const parameters = ({ tables, rawTables }: DescribedScope): Record<string, ParameterObject> => {
  const pathParameter = (name: string, description: string, values: readonly string[]): ParameterObject => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: values.length > 0 ? { type: 'string', enum: values } : { type: 'string' },
  });
  const names = tables.map(({ name }) => name);
  return {
    ifMatch: {
      name: 'If-Match',
      in: 'header',
      description: 'The `ETag` that the file must have, compared exactly. Another file is a 412.',
      schema: { type: 'string' },
    },
    ifNoneMatch: pageParameters.ifNoneMatch!,
    fileTable: pathParameter('api_table', 'Name of a table.', names),
    rawFileTable: {
      ...pathParameter('table_name', 'Name of a raw table, as /raw/tables lists it.', []),
      examples: Object.fromEntries([...rawTables].map(([value, { purpose }]) => [value, { summary: purpose, value }])),
    },
    fileVersion: {
      name: 'version',
      in: 'path',
      required: true,
      description: 'Version of the data, or `latest`.',
      schema: { type: 'string', pattern: '^(latest|[0-9]+)$' },
    },
    preferWait: {
      name: 'Prefer',
      in: 'header',
      description: '`wait=5` waits at most 5 seconds for a file that is not built yet; the most is 30 (RFC 7240).',
      schema: { type: 'string' },
    },
    range: {
      name: 'Range',
      in: 'header',
      description:
        'One range of bytes, such as `bytes=0-65535`; several ranges give the whole file. Parts of a file count once an hour for the quota.',
      schema: { type: 'string' },
    },
  };
};

export const filesPart = (scope: DescribedScope): DocumentPart => ({
  paths: {
    '/files': { get: list },
    ...Object.fromEntries(
      fileFormats.map((format) => [`/files/{api_table}/{version}.${format}`, { get: read(format, 'fileTable', false) }]),
    ),
    ...(scope.includes('raw') &&
      Object.fromEntries(
        fileFormats.map((format) => [`/files/raw/{table_name}/{version}.${format}`, { get: read(format, 'rawFileTable', true) }]),
      )),
  },
  components: { parameters: parameters(scope) },
});
