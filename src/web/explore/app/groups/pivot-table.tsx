/** Groups as a table whose columns are the values of one key. A figure leads to the rows behind it. The totals are those of the service. */
import { Fragment } from 'react';
import type { JsonObject } from '../../../browser/exact.ts';
import type { DescribedTable } from '../../described.ts';
import { usePage } from '../parts/context.ts';
import { ViewLink } from '../parts/view-link.tsx';
import { identityOf, type Pivot } from '../view/pivot.ts';
import type { View } from '../view/view.ts';
import { cellOf, type Field, rowsBehind } from './fields.ts';
import { useTotals } from './totals.ts';

interface PivotTableProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly pivot: Pivot;
  /** The keys of the rows. */
  readonly keys: readonly Field[];
  readonly across: Field;
  readonly figures: readonly Field[];
  /** The figures over all groups. */
  readonly totals: JsonObject | undefined;
  readonly isLoading: boolean;
}

export const PivotTable = ({ view, table, pivot, keys, across, figures, totals, isLoading }: PivotTableProps) => {
  const { language, t } = usePage();
  const ofRow = useTotals(
    view,
    view.by.filter((key) => key !== view.across),
    keys,
  );
  const ofColumn = useTotals(view, [view.across], [across]);
  const hasTotals = totals !== undefined;
  const all = [...keys, across];
  const figureCells = (name: string, row: JsonObject | undefined, behind: View | undefined) =>
    figures.map((figure) => {
      const text = row ? figure.textOf(cellOf(row, figure), language) : '';
      return (
        <td key={`${name} ${figure.name}`} className="number">
          {text === '' ? <span className="quiet">–</span> : behind ? <ViewLink view={behind}>{text}</ViewLink> : text}
        </td>
      );
    });
  const columns = pivot.columns.map((value) => {
    const row: JsonObject = { [across.name]: value };
    return { row, id: identityOf(row, [across.name]), head: across.textOf(value, language) };
  });
  const heads = [...columns, ...(hasTotals ? [{ id: 'total', head: t.total }] : [])];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls, so the keyboard must reach it
    <section className="grid groups pivot" aria-label={table.label[language]} aria-busy={isLoading} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {keys.map((key) => (
              <th key={key.name} scope="col" rowSpan={2}>
                {key.label(language)}
              </th>
            ))}
            {heads.map(({ id, head }) => (
              <th key={id} scope="colgroup" className="number" colSpan={figures.length}>
                {head}
              </th>
            ))}
          </tr>
          <tr>
            {heads.map(({ id }) => (
              <Fragment key={id}>
                {figures.map((figure) => (
                  <th key={figure.name} scope="col" className="number">
                    {figure.label(language)}
                  </th>
                ))}
              </Fragment>
            ))}
          </tr>
        </thead>
        <tbody>
          {pivot.rows.map((row) => (
            <tr
              key={identityOf(
                row.keys,
                keys.map(({ name }) => name),
              )}
            >
              {keys.map((key, at) => {
                const Element = at === 0 ? 'th' : 'td';
                return (
                  <Element key={key.name} scope={at === 0 ? 'row' : undefined}>
                    {key.textOf(cellOf(row.keys, key), language) || <span className="quiet">–</span>}
                  </Element>
                );
              })}
              {columns.map(({ id }, at) => {
                const group = row.groups[at];
                return figureCells(id, group, group && rowsBehind(view, all, group));
              })}
              {hasTotals && figureCells('total', ofRow(row.keys), rowsBehind(view, keys, row.keys))}
            </tr>
          ))}
        </tbody>
        {hasTotals && (
          <tfoot>
            <tr>
              {keys.map((key, at) => (
                <td key={key.name}>{at === 0 && t.total}</td>
              ))}
              {columns.map(({ id, row }) => figureCells(id, ofColumn(row), rowsBehind(view, [across], row)))}
              {figureCells('total', totals, undefined)}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
};
