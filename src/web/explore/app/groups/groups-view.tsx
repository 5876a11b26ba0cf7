/** Groups of rows: their keys and figures, exact totals, a chart, and the rows behind each figure. */
import { useMemo } from 'react';
import { type Axes, chartKinds } from '../../../browser/charts/axes.ts';
import { ChartView } from '../../../browser/charts/chart-view.tsx';
import { isObject, type JsonObject } from '../../../browser/exact.ts';
import type { Cell, List } from '../../../browser/list.ts';
import { shownText } from '../../../browser/values.ts';
import type { DescribedTable } from '../../described.ts';
import { ConditionBar } from '../conditions/condition-bar.tsx';
import { Failure, useAnswer } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { FailureNote } from '../parts/failure.tsx';
import { useScroll } from '../parts/history.ts';
import { Pager } from '../parts/pager.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { TakeAway } from '../parts/take-away.tsx';
import { useTitle } from '../parts/title.ts';
import { countText } from '../parts/values.ts';
import { ReportFields, useReportTitle, ViewTitle } from '../report/report-head.tsx';
import { FilterBar } from '../rows/filter-bar.tsx';
import { RequiredFilters } from '../rows/required-filters.tsx';
import { keyNameOf } from '../view/group-keys.ts';
import { mostColumns, pivotOf } from '../view/pivot.ts';
import { scopeOfGroups } from '../view/scope.ts';
import { mostRows, parameterItems, restAddress, type View, withParameter } from '../view/view.ts';
import { Builder } from './builder.tsx';
import { answerFields, cellOf, type Field } from './fields.ts';
import { GroupsTable } from './groups-table.tsx';
import { loadDrawing } from './load-drawing.ts';
import { orderOf, sorted } from './order.ts';
import { PivotTable } from './pivot-table.tsx';
import { sheetOfGroups, sheetOfPivot } from './sheets.ts';
import { useTotal } from './totals.ts';

/** The groups of one page of the table. All of them are there. */
const pageSize = 500;

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
      const value = cellOf(row, field);
      return field.isKey && value !== null && !field.isPeriod ? textOf(field, row) : value;
    }),
  ),
});

/** The chart of the address: its kind, and the fields across, up and of the colours by their names. */
const axesIn = ([kind, x, y, series]: readonly string[], fields: readonly Field[]): Axes | undefined => {
  const named = (name: string | undefined) => fields.find((field) => field.name === name)?.chartName;
  const known = chartKinds.find((each) => each === kind);
  const [across, up, split] = [x, y, series].map(named);
  return known && across && up ? { kind: known, x: across, y: up, ...(split && { series: split }) } : undefined;
};

const writtenAxes = ({ kind, x, y, series }: Axes, fields: readonly Field[]): readonly string[] => [
  kind,
  ...[x, y, series].flatMap((name) => fields.find(({ chartName }) => chartName === name)?.name ?? []),
];

/** The figures of the only group: a chart would have one point. */
const Numbers = ({ row, figures }: { readonly row: JsonObject; readonly figures: readonly Field[] }) => {
  const { language } = usePage();
  return (
    <ul className="figures">
      {figures.map((figure) => (
        <li key={figure.name} className="card">
          <span className="hint">{figure.label(language)}</span>
          <strong>{figure.textOf(cellOf(row, figure), language) || '–'}</strong>
        </li>
      ))}
    </ul>
  );
};

export const GroupsView = ({ view, table }: { readonly view: View; readonly table: DescribedTable }) => {
  const { description, language, t, go } = usePage();
  const hasLimit = view.others.some(([name]) => name === 'limit');
  const isAsked = view.by.length > 0 || view.hasCount || view.values.length > 0 || view.others.some(([name]) => name === 'value');
  const order = useMemo(() => orderOf(view, table, description), [view, table, description]);
  const path = restAddress({ ...view, order }, [], hasLimit ? [] : [['limit', String(mostRows.groups)]]);
  const { answer, failure, isLoading, retry } = useAnswer(isAsked ? path : undefined);
  const { total, isLoading: isAdding } = useTotal(view);
  const change = (part: Partial<View>) => go({ ...view, page: 1, ...part });
  const asked = useMemo(() => (answer?.rows ?? []).filter(isObject), [answer]);
  const fields = useMemo(() => answerFields(view, table, description, asked), [view, table, description, asked]);
  const rows = useMemo(() => sorted(asked, order, fields, language), [asked, order, fields, language]);
  const list = useMemo(
    () => listOf(table, fields, rows, (field, row) => field.textOf(cellOf(row, field), language)),
    [table, fields, rows, language],
  );
  const nameOf = useMemo(() => {
    const names = new Map(fields.map((field) => [field.chartName, field.label(language)]));
    return (column: string) => names.get(column) ?? column;
  }, [fields, language]);
  const textOfCell = useMemo(() => {
    const periods = new Map(fields.filter(({ isPeriod }) => isPeriod).map((field) => [field.chartName, field]));
    return (cell: Cell, column: string) => periods.get(column)?.textOf(cell, language) ?? shownText(cell, column, language);
  }, [fields, language]);
  useTitle(view, table, useReportTitle(view));
  // The totals are a row of the table, so they come before its place.
  useScroll(view, answer !== undefined && !isLoading && !isAdding);
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
  /** A part of the groups is shown only if the address asks for it. */
  const isWhole = answer !== undefined && answer.total === answer.rows.length;
  const isTooMuch = !isWhole && !hasLimit;
  const figures = fields.filter(({ isKey }) => !isKey);
  const sheet = async () => {
    if (isTooMuch) throw new Failure(422, t.tooManyGroups(countText(answer?.total ?? 0, language), countText(mostRows.groups, language)));
    return across && pivot && !isWide ? sheetOfPivot({ pivot, keys, across, figures }, language) : sheetOfGroups(fields, rows, language);
  };
  const hasChart = rows.length > 1 && figures.length > 0;
  return (
    <>
      <div className="view-head">
        <div>
          <ViewTitle view={view} table={table} />
          <p className="hint" role="status">
            {answer ? t.groupsCount(countText(answer.total, language)) : '…'}
          </p>
        </div>
        <div className="tools">
          <button
            type="button"
            onClick={() =>
              change({ shows: 'rows', by: [], hasCount: false, values: [], across: '', others: [], order: [], chart: [], report: [] })
            }
          >
            {t.showRows}
          </button>
          <TakeAway view={view} table={table} shown={[]} sheet={sheet} />
        </div>
      </div>
      <ReportFields view={view} table={table} />
      <FilterBar view={view} table={table} onChange={(where) => change({ where })} />
      <RequiredFilters view={view} table={table} onChange={change} />
      <Builder view={view} table={table} onChange={(part) => change({ ...part, report: [] })} />
      <ConditionBar
        scope={scopeOfGroups(view, table, description)}
        items={parameterItems(view, 'having')}
        label={t.having}
        onChange={(items) => change({ others: withParameter(view, 'having', items) })}
      />
      {failure && <FailureNote failure={failure} language={language} onRetry={retry} />}
      {!answer && !failure && isAsked && <Skeleton />}
      {answer && isTooMuch && (
        <p className="notice">{t.tooManyGroups(countText(answer.total, language), countText(mostRows.groups, language))}</p>
      )}
      {answer && !isTooMuch && (
        <>
          {!isWhole && <p className="notice">{t.firstGroups(countText(rows.length, language), countText(answer.total, language))}</p>}
          {isWide && <p className="notice">{t.tooWide(countText(pivot.columns.length, language), countText(mostColumns, language))}</p>}
          {across && pivot && !isWide ? (
            <PivotTable
              view={view}
              table={table}
              pivot={pivot}
              keys={keys}
              across={across}
              figures={figures}
              total={total}
              isWhole={isWhole}
              isLoading={isLoading}
              onChange={change}
            />
          ) : (
            <>
              <GroupsTable
                view={view}
                table={table}
                fields={fields}
                order={order}
                rows={rows.slice((view.page - 1) * pageSize, view.page * pageSize)}
                totals={total}
                totalsLabel={isWhole ? t.total : t.allGroups}
                isLoading={isLoading}
                onChange={change}
              />
              {rows.length > pageSize && (
                <Pager page={view.page} size={pageSize} total={rows.length} isLoading={isLoading} onChange={change} />
              )}
            </>
          )}
          {!hasChart && rows[0] && figures.length > 0 && (
            <section className="chart-part" aria-label={t.chart}>
              <Numbers row={rows[0]} figures={figures} />
            </section>
          )}
          {hasChart && (
            <section className="chart-part" aria-label={t.chart}>
              <ChartView
                list={list}
                nameOf={nameOf}
                language={language}
                texts={t.chartTexts}
                textOf={textOfCell}
                load={loadDrawing}
                chosen={axesIn(view.chart, fields)}
                onChoose={(axes) => go({ ...view, chart: writtenAxes(axes, fields) }, { replaces: true })}
              />
            </section>
          )}
        </>
      )}
    </>
  );
};
