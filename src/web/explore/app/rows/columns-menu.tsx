/** Chooses the columns, their order, and columns of related rows. */
import type { DescribedTable } from '../../described.ts';
import { ColumnList } from '../parts/column-list.tsx';
import { usePage } from '../parts/context.ts';
import { Menu } from '../parts/menu.tsx';
import { findColumn, labelOf } from '../view/tables.ts';

interface ColumnsMenuProps {
  readonly table: DescribedTable;
  readonly shown: readonly string[];
  readonly onChange: (columns: readonly string[]) => void;
}

const moved = (list: readonly string[], from: number, to: number): readonly string[] => {
  const others = list.toSpliced(from, 1);
  return others.toSpliced(to, 0, list[from] as string);
};

export const ColumnsMenu = ({ table, shown, onChange }: ColumnsMenuProps) => {
  const { description, language, t } = usePage();
  const found = shown.flatMap((path) => findColumn(description, table, path) ?? []);
  return (
    <Menu label={t.columns}>
      {() => (
        <>
          <h2>{t.chosen}</h2>
          <ul className="chosen-columns">
            {found.map((each, index) => {
              const label = labelOf(each, language);
              return (
                <li key={each.path}>
                  <span>{label}</span>
                  <button
                    type="button"
                    aria-label={t.moveUp(label)}
                    disabled={index === 0}
                    onClick={() => onChange(moved(shown, index, index - 1))}
                  >
                    ↑
                  </button>
                  <button
                    type="button"
                    aria-label={t.moveDown(label)}
                    disabled={index === found.length - 1}
                    onClick={() => onChange(moved(shown, index, index + 1))}
                  >
                    ↓
                  </button>
                  <button
                    type="button"
                    aria-label={t.remove(label)}
                    disabled={found.length === 1}
                    onClick={() => onChange(shown.filter((path) => path !== each.path))}
                  >
                    ✕
                  </button>
                </li>
              );
            })}
          </ul>
          <button type="button" onClick={() => onChange([])}>
            {t.standardColumns}
          </button>
          <h2>{t.more}</h2>
          <ColumnList table={table} includes={({ path }) => !shown.includes(path)} onChoose={({ path }) => onChange([...shown, path])} />
        </>
      )}
    </Menu>
  );
};
