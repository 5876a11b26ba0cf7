/** The rows of a table: filters as chips, a grid that sorts and filters by a click, and pages. */
import { useEffect, useMemo, useState } from 'react';
import type { DescribedTable } from '../../described.ts';
import { useAnswer } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { FailureNote } from '../parts/failure.tsx';
import { useRequiredFilters } from '../parts/required-filters.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { TakeAway } from '../parts/take-away.tsx';
import { countText } from '../parts/values.ts';
import { shownColumns, toOne } from '../view/tables.ts';
import { type Parameter, restAddress, type View } from '../view/view.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Grid } from './grid.tsx';

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
  const { language, t, go } = usePage();
  const { isReady, failure: unready } = useRequiredFilters(view, table);
  const shown = useMemo(() => shownColumns(table, view.columns), [table, view.columns]);
  const base = restAddress({ ...view, columns: [] }, requestedColumns(table, shown));
  /** The positions of the pages up to this one. */
  const [pages, setPages] = useState<readonly (Parameter | undefined)[]>([undefined]);
  // Another view begins with its first page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address of the view is what changes
  useEffect(() => setPages([undefined]), [base]);
  const position = pages.at(-1);
  const path = restAddress({ ...view, columns: [] }, requestedColumns(table, shown), [
    ['limit', String(pageSize)],
    ...(position ? [position] : []),
  ]);
  const { answer, failure, isLoading, retry } = useAnswer(isReady ? path : undefined);
  const change = (part: Partial<View>) => go({ ...view, ...part });
  const from = (pages.length - 1) * pageSize;
  const next = answer?.next;
  return (
    <>
      <div className="view-head">
        <div>
          <h1>{table.label[language]}</h1>
          <p className="hint" role="status">
            {answer ? t.rows(countText(answer.total, language)) : '…'}
          </p>
        </div>
        <div className="tools">
          <button type="button" className="primary" onClick={() => change({ shows: 'groups', columns: [], order: [], hasCount: true })}>
            {t.summarize}
          </button>
          <ColumnsMenu table={table} shown={shown} onChange={(columns) => change({ columns })} />
          <TakeAway view={view} table={table} shown={shown} />
        </div>
      </div>
      <FilterBar view={view} table={table} onChange={(where) => change({ where })} />
      {(failure ?? unready) && <FailureNote failure={(failure ?? unready)!} language={language} onRetry={retry} />}
      {!answer && !failure && !unready && <Skeleton />}
      {answer && (
        <>
          <Grid view={view} table={table} shown={shown} rows={answer.rows} isLoading={isLoading} onChange={change} />
          <nav className="pager" aria-label={t.title}>
            <span className="hint">
              {answer.total === 0
                ? t.noRows
                : t.page(countText(from + 1, language), countText(from + answer.rows.length, language), countText(answer.total, language))}
            </span>
            <span className="actions">
              <button type="button" disabled={pages.length < 2} onClick={() => setPages(pages.slice(0, -1))}>
                {t.previous}
              </button>
              <button type="button" disabled={!next || isLoading} onClick={() => setPages([...pages, next])}>
                {t.next}
              </button>
            </span>
          </nav>
        </>
      )}
    </>
  );
};
