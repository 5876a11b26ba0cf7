/** Figures of a row on a day, such as the vacant units and the arrears of a property. */
import { useState } from 'react';
import type { JsonObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedTable } from '../../described.ts';
import { usePage } from '../parts/context.ts';
import { DayField } from '../parts/day-field.tsx';
import { FigureCards } from '../parts/figures.tsx';
import { addressOf, type Parameter } from '../view/view.ts';

export const RowFigures = ({ table, row }: { readonly table: DescribedTable; readonly row: JsonObject }) => {
  const { description, t } = usePage();
  const [day, setDay] = useState(description.day);
  const own = table.figureColumns.flatMap((name): readonly Parameter[] => {
    const value = (row[name] ?? null) as Cell;
    return value === null ? [] : [[name, textOf(value)]];
  });
  const address = addressOf('/explore/figures', [['day', day], ['page', table.name], ...own]);
  return (
    <section aria-labelledby="figures-title">
      <div className="section-head">
        <h2 id="figures-title">{t.rowFigures}</h2>
        <DayField day={day} onChange={setDay} />
      </div>
      <FigureCards address={address} expected={4} />
    </section>
  );
};
