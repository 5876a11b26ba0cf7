/** The rows of a table: filters as chips, a grid that sorts and filters by a click, and pages. */
import { useMemo } from 'react';
import type { DescribedTable } from '../../described.ts';
import { useAnswer } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { FailureNote } from '../parts/failure.tsx';
import { useScroll } from '../parts/history.ts';
import { Pager } from '../parts/pager.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { TakeAway } from '../parts/take-away.tsx';
import { useTitle } from '../parts/title.ts';
import { countText } from '../parts/values.ts';
import { ReportFields, useReportTitle, ViewTitle } from '../report/report-head.tsx';
import { shownColumns, toOne } from '../view/tables.ts';
import { mostRows, restAddress, type View } from '../view/view.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Grid } from './grid.tsx';
import { conditionsForSums, RequiredFilters, useRequiredFilters } from './required-filters.tsx';
import { sheetOfRows } from './sheet.ts';

const pageSize = 100;

/** The columns of the request: the shown ones, the key, and the references that cells lead along. */
const requestedColumns = (table: DescribedTable, shown: readonly string[]): readonly string[] => {
  const references = toOne(table)
    .filter(({ name, column }) => shown.includes(column) || shown.some((path) => path.startsWith(`${name}.`)))
    .map(({ column }) => column)
    .filter((column) => table.columns.some(({ name }) => name === column));
  return [...new Set([...shown, table.key, ...references])];
};

export const RowsView = ({ view, table }: { readonly view: View; readonly table: DescribedTable }) => {
  const { description, language, t, go } = usePage();
  const { isReady, failure: unready } = useRequiredFilters(view, table);
  const shown = useMemo(() => shownColumns(table, view.columns), [table, view.columns]);
  const offset = (view.page - 1) * pageSize;
  const path = restAddress({ ...view, columns: [] }, requestedColumns(table, shown), [
    ['limit', String(pageSize)],
    ...(offset > 0 ? [['offset', String(offset)] as const] : []),
  ]);
  const { answer, failure, isLoading, retry } = useAnswer(isReady ? path : undefined);
  useTitle(view, table, useReportTitle(view));
  useScroll(view, answer !== undefined && !isLoading);
  const change = (part: Partial<View>) => go({ ...view, page: 1, ...part });
  const sheet = () => sheetOfRows({ view, table, shown, description, language }, t.tooManyRows(countText(mostRows.rows, language)));
  const summarize = () => change({ shows: 'groups', columns: [], order: [], hasCount: true, where: conditionsForSums(view), report: [] });
  return (
    <>
      <div className="view-head">
        <div>
          <ViewTitle view={view} table={table} />
          <p className="hint" role="status">
            {answer ? t.rows(countText(answer.total, language)) : '…'}
          </p>
        </div>
        <div className="tools">
          <button type="button" className="primary" onClick={summarize}>
            {t.summarize}
          </button>
          <ColumnsMenu table={table} shown={shown} onChange={(columns) => change({ columns })} />
          <TakeAway view={view} table={table} shown={shown} sheet={sheet} />
        </div>
      </div>
      <ReportFields view={view} table={table} />
      <RequiredFilters view={view} table={table} onChange={change} />
      <FilterBar view={view} table={table} onChange={(where) => change({ where })} />
      {(failure ?? unready) && <FailureNote failure={(failure ?? unready)!} language={language} onRetry={retry} />}
      {!answer && !failure && !unready && <Skeleton />}
      {answer && (
        <>
          <Grid view={view} table={table} shown={shown} rows={answer.rows} isLoading={isLoading} onChange={change} />
          <Pager page={view.page} size={pageSize} total={answer.total} isLoading={isLoading} onChange={change} />
        </>
      )}
    </>
  );
};
