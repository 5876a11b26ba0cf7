/** Power Query text for a table: its file, and a query whose range becomes a condition (contract: basic authentication). */
import { pathOfTable, type Table } from '../../catalogue/table.ts';
import { parquetPathOf } from '../../files/formats.ts';
import { parquetQuery } from '../../prints/power-query.ts';
import { pageLimits } from '../../query/parameters.ts';
import { sampleOrigin } from './markdown.ts';

/** The whole table as a Parquet file. The program asks for the key with its own dialog. */
export const fileQuery = ({ name }: Pick<Table, 'name'>): string => parquetQuery({ origin: sampleOrigin, path: parquetPathOf(name) });

/** The condition that a range of time becomes. */
interface RangeCondition {
  readonly column: string;
  /** Power Query text: the condition on the rows from `RangeStart` up to `RangeEnd`. */
  readonly where: string;
}

const dayOf = (parameter: string): string => `Date.ToText(DateTime.Date(${parameter}), [Format = "yyyy-MM-dd"])`;
/** The years whose first day is in the range. So each year belongs to exactly one of the ranges that follow each other. No row has the year 0. */
const years =
  '{0} & List.Select({Date.Year(RangeStart) .. Date.Year(RangeEnd)}, each #datetime(_, 1, 1, 0, 0, 0) >= RangeStart and #datetime(_, 1, 1, 0, 0, 0) < RangeEnd)';

/** The condition on rows of a table that a range becomes; undefined if it has no column for it. */
export const rangeConditionOf = ({
  filters,
  requiredFilters,
  columns,
}: Pick<Table, 'filters' | 'requiredFilters' | 'columns'>): RangeCondition | undefined => {
  const isPossible = (name: string) => !columns[name]?.isHidden && requiredFilters.every((required) => required === name);
  const day = filters.find((name) => columns[name]?.kind === 'date' && isPossible(name));
  if (day) return { column: day, where: `"${day}>=" & ${dayOf('RangeStart')} & ",${day}<" & ${dayOf('RangeEnd')}` };
  const year = filters.find((name) => name === 'fiscal_year' && isPossible(name));
  return year ? { column: year, where: `"${year}:in(" & Text.Combine(List.Transform(${years}, Text.From), ",") & ")"` } : undefined;
};

/** Power Query text for an incremental refresh: `RangeStart` and `RangeEnd` become a condition. Undefined if the table has no column for it. */
export const rangeQuery = (table: Table): string | undefined => {
  const condition = rangeConditionOf(table);
  if (!condition) return undefined;
  return `let
  Page = (offset as number) => Csv.Document(Web.Contents("${sampleOrigin}", [
    RelativePath = "${pathOfTable(table).slice(1)}",
    Query = [
      #"where" = ${condition.where},
      format = "csv",
      limit = "${pageLimits.limit.max}",
      offset = Text.From(offset)
    ]
  ]), [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]),
  Pages = List.Generate(
    () => [Offset = 0, Rows = Table.PromoteHeaders(Page(0), [PromoteAllScalars = false])],
    each [Rows] <> null,
    each if Table.RowCount([Rows]) < ${pageLimits.limit.max}
      then [Offset = 0, Rows = null]
      else [Offset = [Offset] + ${pageLimits.limit.max}, Rows = Table.PromoteHeaders(Page([Offset] + ${pageLimits.limit.max}), [PromoteAllScalars = false])],
    each [Rows]
  )
in
  Table.Combine(Pages)`;
};
