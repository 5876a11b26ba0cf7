/** Groups as a table whose columns are the values of one key. A figure leads to the rows behind it. The totals are those of the service. */
import { Fragment } from 'react';
import type { JsonObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedTable, LanguageCode } from '../../described.ts';
import { usePage } from '../parts/context.ts';
import { ViewLink } from '../parts/view-link.tsx';
import { rowsBehind } from '../view/behind.ts';
import { identityOf, type Pivot, type PivotRow } from '../view/pivot.ts';
import { nextOrder, type View } from '../view/view.ts';
import { cellOf, type Field } from './fields.ts';
import { orderOf, sorted } from './order.ts';
import { type Totals, useTotals } from './totals.ts';

interface PivotTableProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly pivot: Pivot;
  /** The keys of the rows. */
  readonly keys: readonly Field[];
  readonly across: Field;
  readonly figures: readonly Field[];
  /** The figures over all groups. Undefined if they cannot be added. */
  readonly total: JsonObject | undefined;
  /** Whether the table has all groups. Totals of more than it shows are left out. */
  readonly isWhole: boolean;
  readonly isLoading: boolean;
  readonly onChange: (part: Partial<View>) => void;
}

/** A value of the key of the columns, in the address. */
const addressValue = (value: Cell): string => (value === null ? '~' : textOf(value));

/** The places of groups by their totals. Groups without totals keep their order. */
const placesOf = (
  totals: Totals | undefined,
  names: readonly string[],
  order: readonly string[],
  fields: readonly Field[],
  language: LanguageCode,
) => {
  const places = new Map(sorted(totals?.rows ?? [], order, fields, language).map((row, at) => [identityOf(row, names), at]));
  return (row: JsonObject): number => places.get(identityOf(row, names)) ?? places.size;
};

export const PivotTable = ({ view, table, pivot, keys, across, figures, total, isWhole, isLoading, onChange }: PivotTableProps) => {
  const { description, language, t } = usePage();
  const byRow = view.by.filter((key) => key !== view.across);
  const ofRow = useTotals(view, byRow, keys);
  const ofColumn = useTotals(view, [view.across], [across]);
  const hasRowTotals = isWhole && ofRow !== undefined;
  const hasColumnTotals = isWhole && ofColumn !== undefined;
  /** The figures that have totals. */
  const added = figures.filter(({ name }) => [ofRow?.rows[0], ofColumn?.rows[0], total].some((row) => row && name in row));
  const behindOf = (row: JsonObject, by: readonly string[]) => (figure: Field) =>
    rowsBehind({ view, table, description, by }, row, figure.name);
  const figureCells = (name: string, shown: readonly Field[], row: JsonObject | undefined, behind: (figure: Field) => View | undefined) =>
    shown.map((figure) => {
      const text = row ? figure.textOf(cellOf(row, figure), language) : '';
      const target = text === '' ? undefined : behind(figure);
      return (
        <td key={`${name} ${figure.name}`} className="number">
          {text === '' ? <span className="quiet">–</span> : target ? <ViewLink view={target}>{text}</ViewLink> : text}
        </td>
      );
    });
  const rowNames = keys.map(({ name }) => name);
  const rowOrder = orderOf({ ...view, by: byRow }, table, description);
  const placeOfRow = placesOf(ofRow, rowNames, rowOrder, [...keys, ...figures], language);
  const [first = ''] = view.order;
  const figure = figures.find(({ name }) => name === first.replace(/^-/, ''));
  const place = view.acrossValue === '' ? -1 : pivot.columns.findIndex((value) => addressValue(value) === view.acrossValue);
  /** Rows by their figures of one column. Those without one come last. */
  const byColumn = (one: PivotRow, other: PivotRow): number => {
    const [a, b] = [one, other].map(({ groups }) => (groups[place] && figure ? cellOf(groups[place], figure) : null));
    if (a === undefined || b === undefined || a === null || b === null) return Number(b !== null) - Number(a !== null);
    return (first.startsWith('-') ? -1 : 1) * (figure?.compare(a, b, language) ?? 0);
  };
  const rows =
    figure && place >= 0
      ? pivot.rows.toSorted(byColumn)
      : view.order.length > 0 && !(figure && ofRow)
        ? pivot.rows
        : pivot.rows.toSorted((one, other) => placeOfRow(one.keys) - placeOfRow(other.keys));
  const columnOrder = across.ownOrder ? [across.name] : orderOf({ ...view, by: [view.across], order: [] }, table, description);
  const placeOfColumn = placesOf(ofColumn, [across.name], columnOrder, [across, ...figures], language);
  const columns = pivot.columns
    .map((value, at) => {
      const row: JsonObject = { [across.name]: value };
      return { row, at, id: identityOf(row, [across.name]), head: across.textOf(value, language), column: addressValue(value) };
    })
    .toSorted((one, other) => placeOfColumn(one.row) - placeOfColumn(other.row));
  const heads = [
    ...columns.map(({ id, head, column }) => ({ id, head, column, shown: figures })),
    ...(hasRowTotals && added.length > 0 ? [{ id: 'total', head: t.total, column: '', shown: added }] : []),
  ];
  const sortedAs = (name: string, column: string) =>
    column !== view.acrossValue ? undefined : first === name ? 'ascending' : first === `-${name}` ? 'descending' : undefined;
  /** A head that sorts the rows: by a key, by the figures of a column, or by their totals. */
  const sortHead = (field: Field, column: string, group?: string) => {
    const direction = sortedAs(field.name, column);
    const label = field.label(language);
    const sort = () =>
      onChange({ order: nextOrder(column === view.acrossValue ? view.order : [], field.name, !field.isKey), acrossValue: column });
    return (
      <button type="button" className="column-head" {...(group !== undefined && { 'aria-label': `${group}: ${label}` })} onClick={sort}>
        {label}
        {direction && <span aria-hidden="true">{direction === 'ascending' ? '▲' : '▼'}</span>}
      </button>
    );
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls, so the keyboard must reach it
    <section className="grid groups pivot" aria-label={table.label[language]} aria-busy={isLoading} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {keys.map((key) => (
              <th key={key.name} scope="col" rowSpan={2} aria-sort={sortedAs(key.name, '')}>
                {sortHead(key, '')}
              </th>
            ))}
            {heads.map(({ id, head, shown }) => (
              <th key={id} scope="colgroup" className="number" colSpan={shown.length}>
                {head}
              </th>
            ))}
          </tr>
          <tr>
            {heads.map(({ id, head, column, shown }) => (
              <Fragment key={id}>
                {shown.map((figure) => (
                  <th key={figure.name} scope="col" className="number" aria-sort={sortedAs(figure.name, column)}>
                    {sortHead(figure, column, head)}
                  </th>
                ))}
              </Fragment>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
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
              {columns.map(({ id, at }) => figureCells(id, figures, row.groups[at], behindOf(row.groups[at] ?? {}, view.by)))}
              {hasRowTotals && figureCells('total', added, ofRow.of(row.keys), behindOf(row.keys, byRow))}
            </tr>
          ))}
        </tbody>
        {hasColumnTotals && (
          <tfoot>
            <tr>
              {keys.map((key, at) => (
                <td key={key.name}>{at === 0 && t.total}</td>
              ))}
              {columns.map(({ id, row }) => figureCells(id, figures, ofColumn.of(row), behindOf(row, [view.across])))}
              {hasRowTotals && figureCells('total', added, total, behindOf({}, []))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
};
