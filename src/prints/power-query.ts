/**
 * Power Query text (M). It contains no key: the program asks for it (contract: basic authentication). The service and the scripts of pages use
 * it, so it imports nothing.
 */

export interface QueryAddress {
  /** The address of the service, such as `https://estate.example.com`. */
  readonly origin: string;
  readonly path: string;
}

const text = (value: string): string => `"${value.replaceAll('"', '""').replaceAll('#(', '#(#)(')}"`;

const keywords = 'and as each else error false if in is let meta not null or otherwise section shared then true try type'.split(' ');
/** The name of a field of a record. */
const fieldName = (name: string): string => (/^[a-z_]\w*$/i.test(name) && !keywords.includes(name) ? name : `#${text(name)}`);

const relative = (path: string): string => text(path.replace(/^\//, ''));

/** Reads an answer as CSV. The values stay text. */
export const csvQuery = ({
  origin,
  path,
  parameters,
}: QueryAddress & { readonly parameters: readonly (readonly [name: string, value: string])[] }): string => `let
  Answer = Web.Contents(${text(origin)}, [
    RelativePath = ${relative(path)},
    Query = [${[...parameters, ['format', 'csv'] as const].map(([name, value]) => `${fieldName(name)} = ${text(value)}`).join(', ')}]
  ]),
  Csv = Csv.Document(Answer, [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]),
  Rows = Table.PromoteHeaders(Csv, [PromoteAllScalars = false])
in
  Rows`;

/** Reads a whole table as a Parquet file. */
export const parquetQuery = ({ origin, path }: QueryAddress): string => `let
  Answer = Web.Contents(${text(origin)}, [RelativePath = ${relative(path)}]),
  Status = Value.Metadata(Answer)[Response.Status],
  Rows = if Status = 202 then error "The file is being built. Refresh again in a minute." else Parquet.Document(Answer)
in
  Rows`;
