/** A list of the response as a table that can be sorted, with the sums of its columns and all of its rows as a file. */
import { memo, useMemo } from 'react';
import { Picker } from '../../../browser/controls.tsx';
import { download } from '../../../browser/download.ts';
import { Figure } from '../../../browser/exact.ts';
import type { List } from '../../../browser/list.ts';
import { type Language, languages, locales, shownText } from '../../../browser/values.ts';
import type { Labels } from '../../labels.ts';
import { csvOf, germanForm, plainForm } from './csv.ts';
import type { FieldNames } from './field-names.ts';
import { labelOf } from './language.ts';
import { nextOrder, type Order, ordered, totalsOf } from './order.ts';

/** A browser draws about a thousand rows without delay. The file has all rows. */
const maxRows = 1_000;

const rowCount = ({ rows, total }: List): string => {
  const all = total !== undefined && Number(total) > rows.length ? `, of ${total} in all` : '';
  return rows.length > maxRows
    ? `The first ${maxRows} of ${rows.length} rows${all}; the file has all ${rows.length}.`
    : `${rows.length} rows${all}.`;
};

const sortStates = { up: 'ascending', down: 'descending', none: 'none' } as const;
type Direction = keyof typeof sortStates;
const marks: Readonly<Record<Direction, string>> = { up: '▲', down: '▼', none: '↕' };

interface TableViewProps {
  readonly list: List;
  readonly fieldNames: FieldNames;
  readonly labels: Labels;
  readonly language: Language;
  readonly order: Order | undefined;
  readonly onLanguage: (language: Language) => void;
  readonly onOrder: (order: Order | undefined) => void;
}

/* biome-ignore-start lint/suspicious/noArrayIndexKey: rows and columns are replaced as a whole */
/** Memoized, so that typing in the editors does not render it again. */
export const TableView = memo(({ list, fieldNames, labels, language, order, onLanguage, onOrder }: TableViewProps) => {
  const { name, columns } = list;
  const rows = useMemo(() => ordered(list, order, locales[language]), [list, order, language]);
  const totals = useMemo(() => totalsOf(list, labels, fieldNames), [list, labels, fieldNames]);
  const classes = columns.map((_, at) => (rows.some((row) => row[at] instanceof Figure) ? 'number' : undefined));
  const direction = (column: string): Direction => (order?.column !== column ? 'none' : order.isDescending ? 'down' : 'up');
  const saveCsv = () => {
    const form = language === 'Deutsch' ? germanForm((column) => labelOf(column, language, labels)) : plainForm;
    download(`${name}.csv`, new Blob([csvOf({ ...list, rows }, form)], { type: 'text/csv;charset=utf-8' }));
  };
  const totalLabel = language === 'Deutsch' ? 'Summe' : 'Total';
  return (
    <>
      <div className="actions">
        <span role="status" className="hint">
          {rowCount(list)}
        </span>
        <span className="actions">
          <Picker label="Names and formats" values={languages} chosen={language} onChoose={onLanguage} />
          <button type="button" onClick={saveCsv}>
            Download CSV
          </button>
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls, so the keyboard must reach it */}
      <section className="response-rows" aria-label={`Rows of ${name}`} tabIndex={0}>
        <table lang={language === 'Deutsch' ? 'de' : 'en'}>
          <caption className="unseen">{name}</caption>
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th key={column} scope="col" className={classes[at]} aria-sort={sortStates[direction(column)]}>
                  <button type="button" title={column} onClick={() => onOrder(nextOrder(order, column))}>
                    {labelOf(column, language, labels)}
                    <span className="sort-mark" data-mark={marks[direction(column)]} aria-hidden="true" />
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, maxRows).map((row, index) => (
              <tr key={index}>
                {row.map((cell, at) => (
                  <td key={at} className={classes[at]}>
                    {cell === null ? <span className="quiet">null</span> : shownText(cell, columns[at] ?? '', language)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {totals && (
            <tfoot>
              <tr>
                {totals.map((total, at) => (
                  <td key={at} className={classes[at]}>
                    {total ? shownText(total, columns[at] ?? '', language) : at === 0 && totalLabel}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </section>
      {totals && !totals[0] && <p className="hint">The last row has the sums of the {rows.length} rows of this answer.</p>}
    </>
  );
});
/* biome-ignore-end lint/suspicious/noArrayIndexKey: rows and columns are replaced as a whole */
