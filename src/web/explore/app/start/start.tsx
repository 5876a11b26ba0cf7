/** Where the page begins: the tables of the key by category, a search for a row, and the questions of analysts. */
import type { JsonObject } from '../../../browser/exact.ts';
import { send, useRead } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { ageText, countText } from '../parts/values.ts';
import { ViewLink } from '../parts/view-link.tsx';
import { parseView, viewOfTable } from '../view/view.ts';
import { FindRow } from './find-row.tsx';

interface TableState {
  readonly table: string;
  readonly row_count: number | null;
  readonly age_seconds: number | null;
  readonly failed_checks: readonly JsonObject[];
}

const readStates = async (path: string, signal: AbortSignal): Promise<ReadonlyMap<string, TableState>> => {
  const { tables }: { tables: readonly TableState[] } = await (await send(path, { signal })).json();
  return new Map(tables.map((state) => [state.table, state]));
};

export const Start = () => {
  const { description, language, t } = usePage();
  const { answer: states } = useRead('/me', readStates);
  const facts = (name: string): string => {
    const state = states?.get(name);
    if (!state) return '…';
    const parts = [
      state.row_count === null ? '' : t.rows(countText(state.row_count, language)),
      state.age_seconds === null ? t.never : t.loaded(ageText(state.age_seconds, language)),
      state.failed_checks.length > 0 ? t.checks(state.failed_checks.length) : '',
    ];
    return parts.filter(Boolean).join(' · ');
  };
  return (
    <>
      <p className="lead">{t.lead}</p>
      <FindRow />
      <section aria-labelledby="tables-title">
        <h2 id="tables-title">{t.tables}</h2>
        {description.categories.map(({ name, label }) => (
          <section key={name} className="category" aria-labelledby={`category-${name}`}>
            <h3 id={`category-${name}`}>{label[language]}</h3>
            <ul className="cards-list">
              {description.tables
                .filter((table) => table.category === name)
                .map((table) => (
                  <li key={table.name}>
                    <ViewLink className="card" view={viewOfTable(name, table.name)}>
                      <strong>{table.label[language]}</strong>
                      <span>{table.purpose[language]}</span>
                      <span className="hint">{facts(table.name)}</span>
                    </ViewLink>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </section>
      {description.questions.length > 0 && (
        <section aria-labelledby="questions-title">
          <h2 id="questions-title">{t.questions}</h2>
          <ul className="cards-list">
            {description.questions.map(({ name, title, path }) => {
              const view = parseView(path);
              return (
                view && (
                  <li key={name}>
                    <ViewLink className="card question" view={view}>
                      <strong>{title[language]}</strong>
                    </ViewLink>
                  </li>
                )
              );
            })}
          </ul>
        </section>
      )}
    </>
  );
};
