/** Chooses the columns, their order, and columns of related rows. */
import type { DescribedTable } from '../../described.ts';
import { FunctionPicker } from '../conditions/function-picker.tsx';
import { ColumnList } from '../parts/column-list.tsx';
import { usePage } from '../parts/context.ts';
import { Menu } from '../parts/menu.tsx';
import { findShown, functionText } from '../view/row-functions.ts';
import { labelOf } from '../view/tables.ts';

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
  const found = shown.flatMap((text) => findShown(description, table, text) ?? []);
  const taken = [...found.map(({ path }) => path), ...table.columns.map(({ name }) => name)];
  return (
    <Menu label={t.columns}>
      {() => (
        <>
          <h2>{t.chosen}</h2>
          <ul className="chosen-columns">
            {found.map((each, index) => {
              const label = labelOf(each, language);
              return (
                <li key={each.text}>
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
                    onClick={() => onChange(shown.filter((text) => text !== each.text))}
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
          <FunctionPicker
            table={table}
            label={t.computedColumn}
            action={t.addColumn}
            onChoose={(call, paths) => onChange([...shown, functionText(call, paths, taken)])}
          />
        </>
      )}
    </Menu>
  );
};
