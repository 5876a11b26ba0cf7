/** Groups as a table. A click on a head sorts, a click on a figure shows the rows behind it. */
import type { JsonObject } from '../../../browser/exact.ts';
import type { DescribedTable } from '../../described.ts';
import { usePage } from '../parts/context.ts';
import { OrderMark } from '../parts/order-mark.tsx';
import { ViewLink } from '../parts/view-link.tsx';
import { rowsBehind } from '../view/behind.ts';
import { nextOrder, orderStep, sortState, type View } from '../view/view.ts';
import { cellOf, type Field } from './fields.ts';

interface GroupsTableProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly fields: readonly Field[];
  /** The names that the groups are ordered by. */
  readonly order: readonly string[];
  readonly rows: readonly JsonObject[];
  /** The figures over all groups. Undefined if they cannot be added. */
  readonly totals: JsonObject | undefined;
  readonly totalsLabel: string;
  readonly isLoading: boolean;
  readonly onChange: (part: Partial<View>) => void;
}

export const GroupsTable = ({ view, table, fields, order, rows, totals, totalsLabel, isLoading, onChange }: GroupsTableProps) => {
  const { description, language, t } = usePage();
  const shown = (field: Field, row: JsonObject) => field.textOf(cellOf(row, field), language);
  const classOf = ({ isKey }: Field) => (isKey ? undefined : 'number');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls, so the keyboard must reach it
    <section className="grid groups" aria-label={table.label[language]} aria-busy={isLoading} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {fields.map((field) => {
              const step = orderStep(order, field.name);
              return (
                <th key={field.name} scope="col" className={classOf(field)} aria-sort={sortState(step)}>
                  <button
                    type="button"
                    className="column-head"
                    title={t.sortHint}
                    onClick={({ shiftKey }) =>
                      onChange({ order: nextOrder(shiftKey ? order : view.order, field.name, !field.isKey, shiftKey) })
                    }
                  >
                    {field.label(language)} <OrderMark step={step} />
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: groups are replaced as a whole
              <tr key={index}>
                {fields.map((field, at) => {
                  const text = shown(field, row);
                  const behind = field.isKey || text === '' ? undefined : rowsBehind({ view, table, description }, row, field.name);
                  const Element = at === 0 && field.isKey ? 'th' : 'td';
                  return (
                    <Element key={field.name} scope={Element === 'th' ? 'row' : undefined} className={classOf(field)}>
                      {text === '' && <span className="quiet">–</span>}
                      {behind ? <ViewLink view={behind}>{text}</ViewLink> : text}
                    </Element>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
        {totals && (
          <tfoot>
            <tr>
              {fields.map((field, at) => (
                <td key={field.name} className={classOf(field)}>
                  {field.isKey ? at === 0 && totalsLabel : shown(field, totals)}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
};
