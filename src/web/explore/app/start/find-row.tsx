/** Finds a row before a table is chosen: properties, units and tenants by name, number or address. A single row opens at once. */
import { useCallback, useEffect, useState } from 'react';
import { isObject, type JsonObject } from '../../../browser/exact.ts';
import type { Cell } from '../../../browser/list.ts';
import type { DescribedTable } from '../../described.ts';
import { ask, type ReadRows, useRead } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { FailureNote } from '../parts/failure.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { countText, valueText } from '../parts/values.ts';
import { ViewLink } from '../parts/view-link.tsx';
import { rowView } from '../rows/grid.tsx';
import { searchCondition } from '../view/search.ts';
import { findColumn, tableOf } from '../view/tables.ts';
import { restAddress, viewOfTable } from '../view/view.ts';

const mostShown = 5;

interface Found extends ReadRows {
  readonly table: DescribedTable;
  readonly condition: string;
}

const viewOf = ({ table, condition }: Pick<Found, 'table' | 'condition'>) =>
  viewOfTable(table.category, table.name, { where: [condition] });

const keyOf = (row: JsonObject, { key }: DescribedTable): Cell => (row[key] ?? null) as Cell;

const Results = ({ found }: { readonly found: Found }) => {
  const { description, language, t } = usePage();
  const { table, rows, total } = found;
  /** The title of the row, and what else the search looked at. */
  const textsOf = (row: JsonObject): readonly string[] => {
    const paths = [...new Set([table.title, ...table.search])];
    const columns = paths.flatMap((path) => findColumn(description, table, path) ?? []);
    return columns.map(({ path, column }) => valueText(row[path], column, description, language)).filter(Boolean);
  };
  if (total === 0) return null;
  return (
    <div>
      <h2>{table.label[language]}</h2>
      <ul className="cards-list">
        {rows.filter(isObject).map((row) => {
          const [name = '', ...others] = textsOf(row);
          return (
            <li key={String(keyOf(row, table))}>
              <ViewLink className="card" view={rowView(table, table.key, keyOf(row, table))}>
                <strong>{name}</strong>
                <span className="hint">{others.join(' · ')}</span>
              </ViewLink>
            </li>
          );
        })}
      </ul>
      {total > rows.length && (
        <p>
          <ViewLink view={viewOf(found)}>{t.rows(countText(total, language))}</ViewLink>
        </p>
      )}
    </div>
  );
};

export const FindRow = () => {
  const { description, language, t, go } = usePage();
  const [text, setText] = useState('');
  const search = useCallback(
    (searched: string, signal: AbortSignal): Promise<readonly Found[]> => {
      const tables = description.searched.flatMap((name) => tableOf(description, name) ?? []);
      const asked = tables.flatMap((table) => {
        const condition = searchCondition(searched, table, description);
        return condition === undefined ? [] : [{ table, condition }];
      });
      return Promise.all(
        asked.map(async ({ table, condition }) => {
          const columns = [...new Set([table.key, table.title, ...table.search])];
          const address = restAddress(viewOf({ table, condition }), columns, [['limit', String(mostShown)]]);
          return { table, condition, ...(await ask(address, signal)) };
        }),
      );
    },
    [description],
  );
  const { answer, failure, isLoading, retry } = useRead(text === '' ? undefined : text, search);
  const matching = answer?.filter(({ total }) => total > 0);
  useEffect(() => {
    const [first, ...others] = matching ?? [];
    const row = first?.total === 1 && others.length === 0 ? first.rows[0] : undefined;
    if (first && isObject(row)) go(rowView(first.table, first.table.key, keyOf(row, first.table)));
  }, [matching, go]);
  if (description.searched.length === 0) return null;
  return (
    <section className="find-row" aria-busy={isLoading}>
      <SearchBox text={text} onSearch={setText} />
      {failure && <FailureNote failure={failure} language={language} onRetry={retry} />}
      <div role="status">{isLoading ? `${t.loading}…` : matching?.length === 0 && t.notFound}</div>
      {matching?.map((found) => (
        <Results key={found.table.name} found={found} />
      ))}
    </section>
  );
};
