/** An answer's list as a table, with all of its rows as a file. */
import { csvOf } from './csv.ts';
import { button, element } from './element.ts';
import { Figure } from './exact.ts';
import { type Cell, type List, textOf } from './unfold.ts';

/** A browser draws some thousand rows well; the file has all of them. */
const mostRows = 1_000;

const download = (list: List): void => {
  const address = URL.createObjectURL(new Blob([csvOf(list)], { type: 'text/csv;charset=utf-8' }));
  element('a', { href: address, download: `${list.name}.csv` }).click();
  URL.revokeObjectURL(address);
};

const shown = (cell: Cell): HTMLElement | string => (cell === null ? element('span', { class: 'quiet' }, 'null') : textOf(cell));

const said = ({ rows, total }: List): string => {
  const all = total !== undefined && Number(total) > rows.length ? `, of ${total} in all` : '';
  return rows.length > mostRows
    ? `The first ${mostRows} of ${rows.length} rows${all}; the file has all ${rows.length}.`
    : `${rows.length} rows${all}.`;
};

export const tableView = (list: List): readonly HTMLElement[] => {
  const numeric = list.columns.map((_, at) => list.rows.some((row) => row[at] instanceof Figure));
  const head = list.columns.map((column, at) => element('th', { scope: 'col', ...(numeric[at] ? { class: 'number' } : {}) }, column));
  const body = list.rows
    .slice(0, mostRows)
    .map((row) => element('tr', {}, ...row.map((cell, at) => element('td', numeric[at] ? { class: 'number' } : {}, shown(cell)))));
  return [
    element(
      'div',
      { class: 'actions' },
      element('span', { role: 'status', class: 'hint' }, said(list)),
      button('Download CSV', () => download(list)),
    ),
    element(
      'div',
      { class: 'rows-of-answer', role: 'region', tabindex: '0', 'aria-label': `Rows of ${list.name}` },
      element(
        'table',
        {},
        element('caption', {}, list.name),
        element('thead', {}, element('tr', {}, ...head)),
        element('tbody', {}, ...body),
      ),
    ),
  ];
};
