/** Where the page begins: a search for a row, the state of the data, the figures of the portfolio, reports, and the tables by category. */

import { useState } from 'react';
import { ageText } from '../../../browser/age.ts';
import { useRead } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { DayField } from '../parts/day-field.tsx';
import { FigureCards } from '../parts/figures.tsx';
import { useScroll } from '../parts/history.ts';
import { useTitle } from '../parts/title.ts';
import { countText } from '../parts/values.ts';
import { ViewLink } from '../parts/view-link.tsx';
import { addressOf, viewOfTable } from '../view/view.ts';
import { AgeOfData, readStates } from './data-state.tsx';
import { FindRow } from './find-row.tsx';
import { Reports } from './reports.tsx';

/** The figures of all rows on a day, which the reader can change. */
const Portfolio = () => {
  const { description, t } = usePage();
  const [day, setDay] = useState(description.day);
  return (
    <section aria-labelledby="portfolio-title">
      <div className="section-head">
        <h2 id="portfolio-title">{t.portfolio}</h2>
        <DayField day={day} onChange={setDay} />
      </div>
      <FigureCards address={addressOf('/explore/figures', [['day', day]])} expected={8} />
    </section>
  );
};

export const Start = () => {
  const { description, language, t } = usePage();
  useTitle(undefined, undefined);
  useScroll(undefined, true);
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
      <FindRow />
      <AgeOfData states={states} />
      <Portfolio />
      <Reports />
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
    </>
  );
};
