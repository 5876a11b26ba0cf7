/** Power Query text for a table: its file, and a query whose range becomes filters (contract: basic authentication). */
import { pathOfTable, type Table } from '../../catalogue/table.ts';
import { filesPathOf } from '../../files/formats.ts';
import { pageLimits } from '../../query/parameters.ts';
import { sampleOrigin } from './markdown.ts';

/** The whole table as a Parquet file. The program asks for the key with its own dialog. */
export const fileQuery = ({ name }: Pick<Table, 'name'>): string => `let
  Answer = Web.Contents("${sampleOrigin}", [RelativePath = "${filesPathOf('category', name).slice(1)}/latest.parquet"]),
  Status = Value.Metadata(Answer)[Response.Status],
  Rows = if Status = 202 then error "The file is being built. Refresh again in a minute." else Parquet.Document(Answer)
in
  Rows`;

/** The filter that a range of time becomes. */
interface RangeFilter {
  readonly column: string;
  /** Power Query text: the list of values of the filter from `RangeStart` up to `RangeEnd`. */
  readonly values: string;
  /** How many requests a range takes at least. */
  readonly each: 'day' | 'year';
}

const days = 'List.Dates(DateTime.Date(RangeStart), Duration.Days(RangeEnd - RangeStart), #duration(1, 0, 0, 0))';
/** The years whose first day is in the range. So each year belongs to exactly one of the ranges that follow each other. */
const years =
  'List.Select({Date.Year(RangeStart) .. Date.Year(RangeEnd)}, each #datetime(_, 1, 1, 0, 0, 0) >= RangeStart and #datetime(_, 1, 1, 0, 0, 0) < RangeEnd)';

/** The filter of a table that a range becomes; undefined if it has none. */
export const rangeFilterOf = ({
  filters,
  requiredFilters,
  columns,
}: Pick<Table, 'filters' | 'requiredFilters' | 'columns'>): RangeFilter | undefined => {
  const isPossible = (name: string) => !columns[name]?.isHidden && requiredFilters.every((required) => required === name);
  const day = filters.find((name) => columns[name]?.kind === 'date' && isPossible(name));
  if (day) return { column: day, values: days, each: 'day' };
  const year = filters.find((name) => name === 'fiscal_year' && isPossible(name));
  return year ? { column: year, values: years, each: 'year' } : undefined;
};

/** Power Query text for an incremental refresh: `RangeStart` and `RangeEnd` become filters. Undefined if the table has no filter for them. */
export const rangeQuery = (table: Table): string | undefined => {
  const filter = rangeFilterOf(table);
  if (!filter) return undefined;
  const { column, values, each } = filter;
  const asText = each === 'day' ? 'Date.ToText(value, [Format = "yyyy-MM-dd"])' : 'Text.From(value)';
  return `let
  Page = (value, offset as number) => Csv.Document(Web.Contents("${sampleOrigin}", [
    RelativePath = "${pathOfTable(table).slice(1)}",
    Query = [
      ${column} = ${asText},
      format = "csv",
      limit = "${pageLimits.limit.max}",
      offset = Text.From(offset)
    ]
  ]), [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]),
  Pages = (value) => List.Generate(
    () => [Offset = 0, Rows = Table.PromoteHeaders(Page(value, 0), [PromoteAllScalars = false])],
    each [Rows] <> null,
    each if Table.RowCount([Rows]) < ${pageLimits.limit.max}
      then [Offset = 0, Rows = null]
      else [Offset = [Offset] + ${pageLimits.limit.max}, Rows = Table.PromoteHeaders(Page(value, Offset), [PromoteAllScalars = false])],
    each [Rows]
  ),
  Values = ${values},
  Rows = Table.Combine(List.Combine(List.Transform(Values, Pages)))
in
  Rows`;
};
