/** Figures of a row, such as the vacant units and the arrears of a property. */
import type { JsonObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedTable } from '../../described.ts';
import { usePage } from '../parts/context.ts';
import { FigureCards } from '../parts/figures.tsx';
import { addressOf, type Parameter } from '../view/view.ts';

export const Figures = ({ table, row }: { readonly table: DescribedTable; readonly row: JsonObject }) => {
  const { description } = usePage();
  const own = table.figureColumns.flatMap((name): readonly Parameter[] => {
    const value = (row[name] ?? null) as Cell;
    return value === null ? [] : [[name, textOf(value)]];
  });
  const address = addressOf('/explore/figures', [['day', description.day], ['page', table.name], ...own]);
  return <FigureCards address={address} expected={4} />;
};
