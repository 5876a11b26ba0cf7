/** The first list of the answer as a plain table. Explore has the same rows with order, filters, sums, chart and CSV. */
import { memo } from 'react';
import { Figure } from '../../../browser/exact.ts';
import { type List, textOf } from '../../../browser/list.ts';

/** A browser draws about a thousand rows without delay. */
const maxRows = 1_000;

/* biome-ignore-start lint/suspicious/noArrayIndexKey: rows and columns are replaced as a whole */
/** Memoized, so that typing in the editors does not render it again. */
export const TableView = memo(({ list: { name, columns, rows } }: { readonly list: List }) => {
  const classes = columns.map((_, at) => (rows.some((row) => row[at] instanceof Figure) ? 'number' : undefined));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls, so the keyboard must reach it */}
      <section className="grid" aria-label={`Rows of ${name}`} tabIndex={0}>
        <table>
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
                    {textOf(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="hint">{rows.length > maxRows ? `The first ${maxRows} of ${rows.length} rows.` : `${rows.length} rows.`}</p>
    </>
  );
});
/* biome-ignore-end lint/suspicious/noArrayIndexKey: rows and columns are replaced as a whole */
