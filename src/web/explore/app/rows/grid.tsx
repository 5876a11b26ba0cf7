/** Rows as a table. The head and the first column stay in sight. */
import { writtenComparison } from '../../../../query/write/items.ts';
import { isObject, type JsonObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedTable } from '../../described.ts';
import { usePage } from '../parts/context.ts';
import { isAmount, valueText } from '../parts/values.ts';
import { ViewLink } from '../parts/view-link.tsx';
import { findShown } from '../view/row-functions.ts';
import { type FoundColumn, labelOf, referenceOf, tableOf } from '../view/tables.ts';
import { orderStep, sortState, type View, viewOfTable } from '../view/view.ts';
import { ColumnMenu } from './column-menu.tsx';

/** The page of the row that a value identifies. */
export const rowView = ({ category, name }: DescribedTable, column: string, value: Cell): View =>
  viewOfTable(category, name, { shows: 'row', where: [writtenComparison(column, 'eq', textOf(value))] });

interface CellContentProps {
  readonly table: DescribedTable;
  readonly found: FoundColumn;
  readonly row: JsonObject;
  readonly isFirst: boolean;
}

/** The row that a cell leads to: that of the first column is its own row, that of a reference or a related column the related row. */
const targetOf = ({ table, found, row, isFirst }: CellContentProps, description: ReturnType<typeof usePage>['description']) => {
  const value = (column: string) => (row[column] ?? null) as Cell;
  if (isFirst) return rowView(table, table.key, value(table.key));
  const [step, ...more] = found.via;
  const relation = step ?? referenceOf(found);
  const target = relation && tableOf(description, relation.target);
  if (!relation || !target || more.length > 0 || value(relation.column) === null) return undefined;
  return rowView(target, relation.targetColumn, value(relation.column));
};

export const CellContent = (props: CellContentProps) => {
  const { description, language, t } = usePage();
  const { found, row, isFirst } = props;
  const text = valueText(row[found.path], found.column, description, language);
  const target = targetOf(props, description);
  const shown = text === '' ? '–' : text;
  if (!target || (text === '' && !isFirst)) return text === '' ? <span className="quiet">–</span> : text;
  return (
    <ViewLink view={target} name={isFirst ? t.openRow(shown) : undefined}>
      {shown}
    </ViewLink>
  );
};

interface GridProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly shown: readonly string[];
  readonly rows: readonly JsonObject[];
  readonly isLoading: boolean;
  readonly onChange: (part: Partial<View>) => void;
}

export const Grid = ({ view, table, shown, rows, isLoading, onChange }: GridProps) => {
  const { description, language } = usePage();
  const columns = shown.flatMap((text) => findShown(description, table, text) ?? []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls, so the keyboard must reach it
    <section className="grid" aria-label={table.label[language]} aria-busy={isLoading} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((found) => (
              <th
                key={found.path}
                scope="col"
                className={isAmount(found.column) ? 'number' : undefined}
                aria-sort={sortState(orderStep(view.order, found.path))}
              >
                <ColumnMenu
                  view={view}
                  table={table}
                  found={found}
                  label={labelOf(found, language)}
                  onChange={onChange}
                  onHide={shown.length > 1 ? () => onChange({ columns: shown.filter((text) => text !== found.text) }) : undefined}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.filter(isObject).map((row) => (
            <tr key={textOf((row[table.key] ?? null) as Cell)}>
              {columns.map((found, index) => {
                const Element = index === 0 ? 'th' : 'td';
                return (
                  <Element
                    key={found.path}
                    scope={index === 0 ? 'row' : undefined}
                    className={index > 0 && isAmount(found.column) ? 'number' : undefined}
                  >
                    <CellContent table={table} found={found} row={row} isFirst={index === 0} />
                  </Element>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
