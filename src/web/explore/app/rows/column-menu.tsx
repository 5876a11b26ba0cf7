/** The head of a column: a click opens its menu to sort, to filter, to group and to hide. */
import type { DescribedTable } from '../../described.ts';
import { ColumnCondition } from '../conditions/condition-bar.tsx';
import { usePage } from '../parts/context.ts';
import { Menu } from '../parts/menu.tsx';
import { scopeOfRows } from '../view/scope.ts';
import type { FoundColumn } from '../view/tables.ts';
import type { View } from '../view/view.ts';
import { conditionsForSums } from './required-filters.tsx';

const marks = { up: '▲', down: '▼', none: '' } as const;

interface ColumnMenuProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly found: FoundColumn;
  readonly label: string;
  readonly direction: keyof typeof marks;
  readonly onChange: (part: Partial<View>) => void;
  readonly onHide: (() => void) | undefined;
}

/** The key of groups that a column suggests. */
export const suggestedKey = ({ path, column: { kind } }: FoundColumn): string =>
  kind === 'date' || kind === 'timestamp' ? `${path}:month` : path;

export const ColumnMenu = ({ view, table, found, label, direction, onChange, onHide }: ColumnMenuProps) => {
  const { description, language, t } = usePage();
  const { path, column } = found;
  /** Conditions and groups cannot name a function of the columns. */
  const isComputed = found.text !== path;
  return (
    <Menu
      className="column-head"
      name={t.columnMenu(label)}
      label={
        <>
          {label} <span aria-hidden="true">{marks[direction]}</span>
        </>
      }
    >
      {(close) => {
        const act = (part: Partial<View>) => {
          close();
          onChange(part);
        };
        const sumUp = (part: Partial<View>) =>
          act({ shows: 'groups', columns: [], order: [], hasCount: true, where: conditionsForSums(view), ...part });
        return (
          <>
            <p className="hint">{column.meaning[language]}</p>
            <div className="menu-actions">
              <button type="button" aria-pressed={direction === 'up'} onClick={() => act({ order: [path] })}>
                ▲ {t.ascending}
              </button>
              <button type="button" aria-pressed={direction === 'down'} onClick={() => act({ order: [`-${path}`] })}>
                ▼ {t.descending}
              </button>
              {!isComputed &&
                (column.isQuantity && found.via.length === 0 ? (
                  <button type="button" onClick={() => sumUp({ values: [{ list: 'sum', of: path }] })}>
                    Σ {t.sumUp}
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
            {!isComputed && (
              <ColumnCondition
                scope={scopeOfRows(table, description)}
                items={view.where}
                name={path}
                onChange={(where) => onChange({ where })}
              />
            )}
          </>
        );
      }}
    </Menu>
  );
};
