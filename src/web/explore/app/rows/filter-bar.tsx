/** The search and the conditions of a view of rows or of their groups. */
import { useState } from 'react';
import type { DescribedTable } from '../../described.ts';
import { ConditionBar } from '../conditions/condition-bar.tsx';
import { usePage } from '../parts/context.ts';
import { SearchBox } from '../parts/search-box.tsx';
import { hasSeries, scopeOfRows } from '../view/scope.ts';
import { searchCondition, searchedFor } from '../view/search.ts';
import type { View } from '../view/view.ts';
import { isRequiredFilter } from './required-filters.tsx';

interface FilterBarProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly onChange: (where: readonly string[]) => void;
}

export const FilterBar = ({ view, table, onChange }: FilterBarProps) => {
  const { description, t } = usePage();
  const [hasNoColumn, setNoColumn] = useState(false);
  const searches = view.where.map((condition) => searchedFor(condition, table, description));
  const searched = searches.find((text) => text !== undefined) ?? '';
  const others = view.where.filter((_, at) => searches[at] === undefined);
  const search = (text: string) => {
    const condition = searchCondition(text, table, description);
    setNoColumn(condition === undefined && text !== '');
    if (condition !== undefined || text === '') onChange(condition === undefined ? others : [...others, condition]);
  };
  const textOf = (items: readonly string[]) => {
    const [item = ''] = items;
    if (items.length === 1 && isRequiredFilter(item, table)) return 'hidden';
    const text = searchedFor(item, table, description);
    return text === undefined ? undefined : `${t.search}: ${t.quoted(text)}`;
  };
  return (
    <ConditionBar
      scope={scopeOfRows(table, description, hasSeries(view))}
      items={view.where}
      label={t.filter}
      textOf={textOf}
      onChange={onChange}
    >
      {table.search.length > 0 && <SearchBox key={searched} text={searched} onSearch={search} />}
      {hasNoColumn && <span role="status">{t.notFound}</span>}
    </ConditionBar>
  );
};
