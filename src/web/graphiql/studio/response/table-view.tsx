/** A list of the response as a table, with all of its rows as a file. */
import { memo } from 'react';
import { csvOf } from './csv.ts';
import { Figure } from './exact.ts';
import { type List, textOf } from './unfold.ts';

/** A browser draws about a thousand rows without delay. The file has all rows. */
const maxRows = 1_000;

const download = (list: List): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([csvOf(list)], { type: 'text/csv;charset=utf-8' }));
  link.download = `${list.name}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
};

const rowCount = ({ rows, total }: List): string => {
  const all = total !== undefined && Number(total) > rows.length ? `, of ${total} in all` : '';
  return rows.length > maxRows
    ? `The first ${maxRows} of ${rows.length} rows${all}; the file has all ${rows.length}.`
    : `${rows.length} rows${all}.`;
};

/* biome-ignore-start lint/suspicious/noArrayIndexKey: rows and columns are replaced as a whole */
/** Memoized, so that typing in the editors does not render it again. */
export const TableView = memo(({ list }: { readonly list: List }) => {
  const { name, columns, rows } = list;
  const classes = columns.map((_, at) => (rows.some((row) => row[at] instanceof Figure) ? 'number' : undefined));
  return (
    <>
      <div className="actions">
        <span role="status" className="hint">
          {rowCount(list)}
        </span>
        <button type="button" onClick={() => download(list)}>
          Download CSV
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls, so the keyboard must reach it */}
      <section className="response-rows" aria-label={`Rows of ${name}`} tabIndex={0}>
        <table>
          <caption>{name}</caption>
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th key={column} scope="col" className={classes[at]}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, maxRows).map((row, index) => (
              <tr key={index}>
                {row.map((cell, at) => (
                  <td key={at} className={classes[at]}>
                    {cell === null ? <span className="quiet">null</span> : textOf(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
});
/* biome-ignore-end lint/suspicious/noArrayIndexKey: rows and columns are replaced as a whole */
