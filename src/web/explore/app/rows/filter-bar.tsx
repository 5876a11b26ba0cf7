/** The filters of a view as chips, and a menu that adds one for any column. */
import { useState } from 'react';
import type { DescribedTable } from '../../described.ts';
import { ColumnList } from '../parts/column-list.tsx';
import { usePage } from '../parts/context.ts';
import { Menu } from '../parts/menu.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { conditionText } from '../parts/values.ts';
import { replaced } from '../view/conditions.ts';
import { searchCondition, searchedFor } from '../view/search.ts';
import { type FoundColumn, labelOf } from '../view/tables.ts';
import type { View } from '../view/view.ts';
import { FilterEditor } from './filter-editor.tsx';

interface FilterBarProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly onChange: (where: readonly string[]) => void;
}

/** First the column, then its conditions. */
const AddFilter = ({ view, table, onChange }: FilterBarProps) => {
  const { language } = usePage();
  const [found, setFound] = useState<FoundColumn>();
  if (!found) return <ColumnList table={table} onChoose={setFound} />;
  return (
    <>
      <h2>{labelOf(found, language)}</h2>
      <FilterEditor
        table={table}
        found={found}
        where={view.where}
        onChange={(conditions) => onChange(replaced(view.where, found.path, conditions))}
      />
    </>
  );
};

export const FilterBar = (props: FilterBarProps) => {
  const { description, language, t } = usePage();
  const { view, table, onChange } = props;
  const [hasNoColumn, setNoColumn] = useState(false);
  const searches = view.where.map((condition) => searchedFor(condition, table, description));
  const searched = searches.find((text) => text !== undefined) ?? '';
  const others = view.where.filter((_, at) => searches[at] === undefined);
  const search = (text: string) => {
    const condition = searchCondition(text, table, description);
    setNoColumn(condition === undefined && text !== '');
    if (condition !== undefined || text === '') onChange(condition === undefined ? others : [...others, condition]);
  };
  return (
    <div className="filter-bar">
      {table.search.length > 0 && <SearchBox key={searched} text={searched} onSearch={search} />}
      {hasNoColumn && <span role="status">{t.notFound}</span>}
      <Menu label={`+ ${t.filter}`} className="chip add">
        {() => <AddFilter {...props} />}
      </Menu>
      {view.where.map((condition) => {
        const text = conditionText(condition, table, description, language);
        return (
          <span key={condition} className="chip">
            {text}
            <button
              type="button"
              aria-label={t.removeFilter(text)}
              onClick={() => onChange(view.where.filter((each) => each !== condition))}
            >
              ✕
            </button>
          </span>
        );
      })}
      {view.where.length > 1 && (
        <button type="button" className="plain" onClick={() => onChange([])}>
          {t.clearFilters}
        </button>
      )}
    </div>
  );
};
