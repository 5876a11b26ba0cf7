/** One row: figures of its related rows, all columns with their meanings, and its related rows. */

import { camelCase } from '../../../../graphql/schema/names.ts';
import { isObject, type JsonObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedTable } from '../../described.ts';
import { operatorView } from '../operator/reader.ts';
import { operatorTextsOf } from '../operator/texts.ts';
import { send, useAnswer, useRead } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { FailureNote } from '../parts/failure.tsx';
import { useRequiredFilters } from '../parts/required-filters.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { TakeAway } from '../parts/take-away.tsx';
import { countText, valueText } from '../parts/values.ts';
import { ViewLink } from '../parts/view-link.tsx';
import { CellContent } from '../rows/grid.tsx';
import { compared } from '../view/conditions.ts';
import { countsDocument } from '../view/graphql.ts';
import { findColumn, labelOf, tableOf, toMany, toOne } from '../view/tables.ts';
import { restAddress, type View, viewOfTable } from '../view/view.ts';
import { Figures } from './figures.tsx';

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
          <dd className="hint" lang="en">
            {found.column.meaning}
          </dd>
        </div>
      )
    );
  };
  /** A reference is followed by the name of its row. */
  const paths = table.columns.flatMap(({ name }) => [
    name,
    ...related.filter((path) => toOne(table).some((relation) => relation.column === name && path.startsWith(`${relation.name}.`))),
  ]);
  return <dl className="fields">{paths.map(entry)}</dl>;
};

type Counts = Readonly<Record<string, { readonly totalCount: number }>>;

/** One document counts the rows of all relations. A key without GraphQL and the operator view see no counts. */
const countRelated = async (document: string, signal: AbortSignal): Promise<Counts> => {
  const response = await send('/graphql', { signal, body: JSON.stringify({ query: document }) });
  const { data }: { data?: { row?: Counts } } = await response.json();
  return data?.row ?? {};
};

const RelatedRows = ({ table, row }: { readonly table: DescribedTable; readonly row: JsonObject }) => {
  const { description, language, t } = usePage();
  const { answer: counts } = useRead(
    operatorView ? undefined : countsDocument(table, textOf((row[table.key] ?? null) as Cell)),
    countRelated,
  );
  return (
    <ul className="related">
      {toMany(table).flatMap(({ name, label, column, target, targetColumn }) => {
        const found = tableOf(description, target);
        const value = (row[column] ?? null) as Cell;
        if (!found || value === null) return [];
        const view = viewOfTable(found.category, found.name, { where: [compared(targetColumn, 'eq', textOf(value))] });
        return (
          <li key={name}>
            <ViewLink className="card" view={view}>
              <strong>{label[language]}</strong>
              {counts?.[camelCase(name)] && (
                <span className="hint">{t.rows(countText(counts[camelCase(name)]?.totalCount ?? 0, language))}</span>
              )}
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
  if (failure) return <FailureNote failure={failure} language={language} onRetry={retry} />;
  if (!answer) return <Skeleton />;
  const [row] = answer.rows;
  if (!isObject(row)) return <p className="notice">{operatorView ? operatorTextsOf[language].rowMissing : t.rowMissing}</p>;
  const title = findColumn(description, table, table.title);
  const name = (title && valueText(row[table.title], title.column, description, language)) || textOf((row[table.key] ?? null) as Cell);
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
          <TakeAway view={view} table={table} shown={columns} />
        </div>
      </div>
      {table.figures.length > 0 && <Figures table={table} row={row} />}
      {toMany(table).length > 0 && (
        <section aria-labelledby="related-title">
          <h2 id="related-title">{t.related}</h2>
          <RelatedRows table={table} row={row} />
        </section>
      )}
      <section aria-labelledby="columns-title">
        <h2 id="columns-title">{t.allColumns}</h2>
        <Fields table={table} row={row} related={related} />
      </section>
    </>
  );
};
