/** One row: figures of its related rows, all columns with their meanings, and its related rows. */

import { writtenComparison } from '../../../../query/write/items.ts';
import { isObject, type JsonObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedTable } from '../../described.ts';
import { operatorView } from '../operator/reader.ts';
import { operatorTextsOf } from '../operator/texts.ts';
import { useAnswer } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { FailureNote } from '../parts/failure.tsx';
import { useScroll } from '../parts/history.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { TakeAway } from '../parts/take-away.tsx';
import { useTitle } from '../parts/title.ts';
import { countText, valueText } from '../parts/values.ts';
import { ViewLink } from '../parts/view-link.tsx';
import { CellContent } from '../rows/grid.tsx';
import { useRequiredFilters } from '../rows/required-filters.tsx';
import { sheetOfRows } from '../rows/sheet.ts';
import { longestColumnName } from '../view/row-functions.ts';
import { findColumn, labelOf, tableOf, toMany, toOne } from '../view/tables.ts';
import { restAddress, type View, viewOfTable } from '../view/view.ts';
import { RowFigures } from './figures.tsx';

/** Requests follow at most eight relations. */
const mostRelations = 8;

const titlesOfRelated = (table: DescribedTable, tables: readonly DescribedTable[]): readonly string[] =>
  toOne(table)
    .flatMap(({ name, target }) => {
      const title = tables.find((each) => each.name === target)?.title;
      return title === undefined || title.includes('.') ? [] : `${name}.${title}`;
    })
    .slice(0, mostRelations);

const Fields = ({
  table,
  row,
  related,
}: {
  readonly table: DescribedTable;
  readonly row: JsonObject;
  readonly related: readonly string[];
}) => {
  const { description, language } = usePage();
  const entry = (path: string) => {
    const found = findColumn(description, table, path);
    return (
      found && (
        <div key={path}>
          <dt>{labelOf(found, language)}</dt>
          <dd>
            <CellContent table={table} found={found} row={row} isFirst={false} />
          </dd>
          <dd className="hint">{found.column.meaning[language]}</dd>
        </div>
      )
    );
  };
  /** A reference is followed by the name of its row. */
  const paths = table.columns.flatMap(({ name }) => [
    name,
    ...related.filter((path) => toOne(table).some((relation) => relation.column === name && path.startsWith(`${relation.name}.`))),
  ]);
  return <dl className="row-values">{paths.map(entry)}</dl>;
};

/** The name of the number of a relation's rows. It differs from the names of all columns. */
const countName = (name: string): string => `rows_of_${name}`.slice(0, longestColumnName);

/** One request counts the rows of all relations. It has the conditions of the view, because some tables require them. */
const countsAddress = (view: View, table: DescribedTable): string =>
  restAddress(
    { ...view, order: [] },
    toMany(table).map(({ name }) => `${countName(name)}:count(${name})`),
    [['limit', '1']],
  );

interface RelatedRowsProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly row: JsonObject;
}

const RelatedRows = ({ view, table, row }: RelatedRowsProps) => {
  const { description, language, t } = usePage();
  const { answer } = useAnswer(countsAddress(view, table));
  const counts = answer?.rows[0];
  return (
    <ul className="related">
      {toMany(table).flatMap(({ name, label, column, target, targetColumn }) => {
        const count = isObject(counts) ? counts[countName(name)] : undefined;
        const found = tableOf(description, target);
        const value = (row[column] ?? null) as Cell;
        if (!found || value === null) return [];
        const view = viewOfTable(found.category, found.name, { where: [writtenComparison(targetColumn, 'eq', textOf(value))] });
        return (
          <li key={name}>
            <ViewLink className="card" view={view}>
              <strong>{label[language]}</strong>
              {count !== undefined && <span className="hint">{t.rows(countText(Number(textOf(count as Cell)), language))}</span>}
            </ViewLink>
          </li>
        );
      })}
    </ul>
  );
};

export const RowView = ({ view, table }: { readonly view: View; readonly table: DescribedTable }) => {
  const { description, language, t } = usePage();
  const related = titlesOfRelated(table, description.tables);
  const columns = [...new Set([...table.columns.map(({ name }) => name), ...related])];
  const address = restAddress({ ...view, order: [] }, columns, [['limit', '1']]);
  const { isReady, failure: unready } = useRequiredFilters(view, table);
  const { answer, failure: refused, retry } = useAnswer(isReady ? address : undefined);
  const failure = refused ?? unready;
  const found = answer?.rows[0];
  const row = isObject(found) ? found : undefined;
  const title = findColumn(description, table, table.title);
  const name =
    row && ((title && valueText(row[table.title], title.column, description, language)) || textOf((row[table.key] ?? null) as Cell));
  useTitle(view, table, name);
  useScroll(view, answer !== undefined);
  if (failure) return <FailureNote failure={failure} language={language} onRetry={retry} />;
  if (!answer) return <Skeleton />;
  if (!row) return <p className="notice">{operatorView ? operatorTextsOf[language].rowMissing : t.rowMissing}</p>;
  return (
    <>
      <div className="view-head">
        <div>
          <p className="hint">
            <ViewLink view={viewOfTable(table.category, table.name)}>{table.label[language]}</ViewLink>
          </p>
          <h1>{name}</h1>
        </div>
        <div className="tools">
          <TakeAway
            view={view}
            table={table}
            shown={columns}
            sheet={() => sheetOfRows({ view, table, shown: columns, description, language }, '')}
          />
        </div>
      </div>
      {table.figureColumns.length > 0 && <RowFigures table={table} row={row} />}
      {toMany(table).length > 0 && (
        <section aria-labelledby="related-title">
          <h2 id="related-title">{t.related}</h2>
          <RelatedRows view={view} table={table} row={row} />
        </section>
      )}
      <section aria-labelledby="columns-title">
        <h2 id="columns-title">{t.allColumns}</h2>
        <Fields table={table} row={row} related={related} />
      </section>
    </>
  );
};
