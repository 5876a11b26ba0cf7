/** The columns of a table and of its related rows, to choose one. */
import { useState } from 'react';
import type { DescribedTable } from '../../described.ts';
import { type FoundColumn, findColumn, labelOf, tableOf, toOne } from '../view/tables.ts';
import { usePage } from './context.ts';

interface ColumnListProps {
  readonly table: DescribedTable;
  readonly onChoose: (found: FoundColumn) => void;
  /** Leaves out columns. */
  readonly includes?: (found: FoundColumn) => boolean;
}

export const ColumnList = ({ table, onChoose, includes = () => true }: ColumnListProps) => {
  const { description, language, t } = usePage();
  const [searched, setSearched] = useState('');
  const wanted = searched.trim().toLowerCase();
  const columnsOf = (prefix: string, { columns }: DescribedTable): readonly FoundColumn[] =>
    columns
      .flatMap(({ name }) => findColumn(description, table, `${prefix}${name}`) ?? [])
      .filter((found) => includes(found) && `${labelOf(found, language)} ${found.path}`.toLowerCase().includes(wanted));
  const buttons = (found: readonly FoundColumn[]) => (
    <ul>
      {found.map((each) => (
        <li key={each.path}>
          <button type="button" title={each.path} onClick={() => onChoose(each)}>
            {each.column.label[language]}
          </button>
        </li>
      ))}
    </ul>
  );
  const own = columnsOf('', table);
  const first = table.first.flatMap((path) => own.find((found) => found.path === path) ?? []);
  return (
    <div className="column-list">
      <input
        type="search"
        aria-label={t.searchColumns}
        placeholder={t.searchColumns}
        value={searched}
        onChange={({ target }) => setSearched(target.value)}
      />
      {buttons(wanted === '' ? [...first, ...own.filter((found) => !first.includes(found))] : own)}
      {toOne(table).map((relation) => {
        const target = tableOf(description, relation.target);
        const found = target ? columnsOf(`${relation.name}.`, target) : [];
        return found.length === 0 ? null : (
          <details key={relation.name} open={wanted !== ''}>
            <summary>{relation.label[language]}</summary>
            {buttons(found)}
          </details>
        );
      })}
    </div>
  );
};
