/** Groups of rows: their keys and figures, exact totals, a chart, and the rows behind each figure. */
import { useMemo, useState } from 'react';
import type { Axes } from '../../../browser/axes.ts';
import { ChartView } from '../../../browser/chart-view.tsx';
import { isObject, type JsonObject } from '../../../browser/exact.ts';
import type { Cell, List } from '../../../browser/list.ts';
import type { DescribedTable } from '../../described.ts';
import { useAnswer } from '../parts/api.ts';
import { languageNames, usePage } from '../parts/context.ts';
import { FailureNote } from '../parts/failure.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { TakeAway } from '../parts/take-away.tsx';
import { countText } from '../parts/values.ts';
import { FilterBar } from '../rows/filter-bar.tsx';
import { mostColumns, pivotOf } from '../view/pivot.ts';
import { keyNameOf, restAddress, type View } from '../view/view.ts';
import { Builder } from './builder.tsx';
import { type Field, fieldsOf } from './fields.ts';
import { GroupsTable } from './groups-table.tsx';
import { PivotTable } from './pivot-table.tsx';
import { totalsAddress } from './totals.ts';

/** More groups are in the file. */
const mostGroups = 1_000;

/** The groups as a list for the chart, whose names say which columns are keys and which are figures. */
const listOf = (
  table: DescribedTable,
  fields: readonly Field[],
  rows: readonly JsonObject[],
  textOf: (field: Field, row: JsonObject) => string,
): List => ({
  name: table.name,
  columns: fields.map(({ chartName }) => chartName),
  rows: rows.map((row) =>
    fields.map((field): Cell => {
      const value = (row[field.name] ?? null) as Cell;
      return field.isKey && value !== null && !field.isPeriod ? textOf(field, row) : value;
    }),
  ),
});

export const GroupsView = ({ view, table }: { readonly view: View; readonly table: DescribedTable }) => {
  const { description, language, t, go } = usePage();
  const [axes, setAxes] = useState<Axes>();
  const hasLimit = view.others.some(([name]) => name === 'limit');
  const isAsked = view.by.length > 0 || view.hasCount || view.values.length > 0 || view.others.some(([name]) => name === 'value');
  const path = restAddress(view, [], hasLimit ? [] : [['limit', String(mostGroups)]]);
  const { answer, failure, isLoading, retry } = useAnswer(isAsked ? path : undefined);
  const { answer: totals } = useAnswer(totalsAddress(view));
  const change = (part: Partial<View>) => go({ ...view, ...part });
  const rows = useMemo(() => (answer?.rows ?? []).filter(isObject), [answer]);
  const fields = useMemo(() => fieldsOf(view, table, description, rows), [view, table, description, rows]);
  const list = useMemo(
    () => listOf(table, fields, rows, (field, row) => field.textOf((row[field.name] ?? null) as Cell, language)),
    [table, fields, rows, language],
  );
  const nameOf = useMemo(() => {
    const names = new Map(fields.map((field) => [field.chartName, field.label(language)]));
    return (column: string) => names.get(column) ?? column;
  }, [fields, language]);
  const across =
    view.by.length > 1 && view.by.includes(view.across) ? fields.find(({ name }) => name === keyNameOf(view.across)) : undefined;
  const keys = fields.filter((field) => field.isKey && field !== across);
  const pivot =
    across &&
    pivotOf(
      rows,
      keys.map(({ name }) => name),
      across.name,
    );
  const isWide = pivot !== undefined && pivot.columns.length > mostColumns;
  const hasChart = rows.length > 1 && fields.some(({ isKey }) => !isKey);
  return (
    <>
      <div className="view-head">
        <div>
          <h1>{table.label[language]}</h1>
          <p className="hint" role="status">
            {answer ? t.groupsCount(countText(answer.total, language)) : '…'}
          </p>
        </div>
        <div className="tools">
          <button
            type="button"
            onClick={() => change({ shows: 'rows', by: [], hasCount: false, values: [], across: '', others: [], order: [] })}
          >
            {t.showRows}
          </button>
          <TakeAway view={view} table={table} shown={[]} />
        </div>
      </div>
      <FilterBar view={view} table={table} onChange={(where) => change({ where })} />
      <Builder view={view} table={table} onChange={change} />
      {failure && <FailureNote failure={failure} language={language} onRetry={retry} />}
      {!answer && !failure && isAsked && <Skeleton />}
      {answer && (
        <>
          {isWide && <p className="notice">{t.tooWide(countText(pivot.columns.length, language), countText(mostColumns, language))}</p>}
          {across && pivot && !isWide ? (
            <PivotTable
              view={view}
              table={table}
              pivot={pivot}
              keys={keys}
              across={across}
              figures={fields.filter(({ isKey }) => !isKey)}
              totals={totals?.rows.find(isObject)}
              isLoading={isLoading}
            />
          ) : (
            <GroupsTable
              view={view}
              table={table}
              fields={fields}
              rows={rows}
              totals={totals?.rows[0]}
              isLoading={isLoading}
              onChange={change}
            />
          )}
          {answer.total > rows.length && (
            <p className="hint">{t.firstGroups(countText(rows.length, language), countText(answer.total, language))}</p>
          )}
          {hasChart && (
            <section className="chart-part" aria-label={t.chart}>
              <ChartView
                list={list}
                nameOf={nameOf}
                language={languageNames[language]}
                texts={t.chartTexts}
                chosen={axes}
                onChoose={setAxes}
              />
            </section>
          )}
        </>
      )}
    </>
  );
};
