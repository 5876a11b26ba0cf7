/** The head of a column: a click opens its menu to sort, to filter, to group and to hide. */
import type { DescribedTable } from '../../described.ts';
import { ColumnCondition } from '../conditions/condition-bar.tsx';
import { usePage } from '../parts/context.ts';
import { Menu } from '../parts/menu.tsx';
import { OrderMark } from '../parts/order-mark.tsx';
import { nameInConditions } from '../view/row-functions.ts';
import { scopeOfRows } from '../view/scope.ts';
import type { FoundColumn } from '../view/tables.ts';
import { nextOrder, type OrderStep, orderStep, type View, withOrder } from '../view/view.ts';
import { conditionsForSums } from './required-filters.tsx';

interface ColumnMenuProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly found: FoundColumn;
  readonly label: string;
  readonly onChange: (part: Partial<View>) => void;
  readonly onHide: (() => void) | undefined;
}

/** The key of groups that a column suggests. */
export const suggestedKey = ({ path, column: { kind } }: FoundColumn): string =>
  kind === 'date' || kind === 'timestamp' ? `${path}:month` : path;

export const ColumnMenu = ({ view, table, found, label, onChange, onHide }: ColumnMenuProps) => {
  const { description, language, t } = usePage();
  const { path, column } = found;
  const step = orderStep(view.order, path);
  /** Whether rows can be sorted by the column after others. */
  const hasOthers = view.order.some((each) => each.replace(/^-/, '') !== path);
  /** Groups cannot name a function of the columns, or an aggregate. */
  const isComputed = found.text !== path;
  const name = nameInConditions(found);
  return (
    <Menu
      className="column-head"
      name={t.columnMenu(label)}
      onShiftClick={() => onChange({ order: nextOrder(view.order, path, false, true) })}
      label={
        <>
          {label} <OrderMark step={step} />
        </>
      }
    >
      {(close) => {
        const act = (part: Partial<View>) => {
          close();
          onChange(part);
        };
        const sortButton = (direction: OrderStep['direction'], mark: string, text: string, order: readonly string[]) => (
          <button
            type="button"
            aria-pressed={step?.direction === direction && order.join() === view.order.join()}
            onClick={() => act({ order })}
          >
            {mark} {text}
          </button>
        );
        const sumUp = (part: Partial<View>) =>
          act({ shows: 'groups', columns: [], order: [], hasCount: true, where: conditionsForSums(view), ...part });
        return (
          <>
            <p className="hint">{column.meaning[language]}</p>
            <div className="menu-actions">
              {sortButton('ascending', '▲', t.ascending, [path])}
              {sortButton('descending', '▼', t.descending, [`-${path}`])}
              {hasOthers && sortButton('ascending', '▲', t.thenAscending, withOrder(view.order, path, path))}
              {hasOthers && sortButton('descending', '▼', t.thenDescending, withOrder(view.order, path, `-${path}`))}
              {hasOthers && step && (
                <button type="button" onClick={() => act({ order: withOrder(view.order, path, undefined) })}>
                  – {t.notSorted}
                </button>
              )}
              {!isComputed &&
                (column.isQuantity && found.via.length === 0 ? (
                  <button type="button" onClick={() => sumUp({ values: [{ list: column.isRate ? 'avg' : 'sum', of: path }] })}>
                    {column.isRate ? `Ø ${t.lists.avg}` : `Σ ${t.sumUp}`}
                  </button>
                ) : (
                  <button type="button" onClick={() => sumUp({ by: [suggestedKey(found)] })}>
                    ⊞ {t.groupBy}
                  </button>
                ))}
              {onHide && (
                <button type="button" onClick={onHide}>
                  ✕ {t.hide}
                </button>
              )}
            </div>
            {name !== undefined && (
              <ColumnCondition
                scope={scopeOfRows(table, description)}
                items={view.where}
                name={name}
                onChange={(where) => onChange({ where })}
              />
            )}
          </>
        );
      }}
    </Menu>
  );
};
