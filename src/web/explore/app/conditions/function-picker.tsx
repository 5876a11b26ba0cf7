/** Adds a column that a function computes from two columns, also of related rows. */
import { useState } from 'react';
import { type RowFunction, rowFunctionNames } from '../../../../plan/vocabulary/values.ts';
import { Picker } from '../../../browser/controls.tsx';
import type { DescribedTable } from '../../described.ts';
import { usePage } from '../parts/context.ts';
import { appliesTo, functionText, functionWords } from '../view/row-functions.ts';
import { findColumn, labelOf, tableOf, toOne } from '../view/tables.ts';

interface ComputedColumnProps {
  readonly table: DescribedTable;
  /** The names of columns that exist. */
  readonly taken: readonly string[];
  readonly onAdd: (text: string) => void;
}

export const ComputedColumn = ({ table, taken, onAdd }: ComputedColumnProps) => {
  const { description, language, t } = usePage();
  const paths = [
    ...table.columns.map(({ name }) => name),
    ...toOne(table).flatMap(({ name, target }) => tableOf(description, target)?.columns.map((column) => `${name}.${column.name}`) ?? []),
  ];
  const columns = paths.flatMap((path) => findColumn(description, table, path) ?? []);
  const operandsOf = (call: RowFunction) => columns.filter(({ column }) => appliesTo(call, column));
  const functions = rowFunctionNames.filter((call) => operandsOf(call).length > 1);
  const [call = functions[0], setCall] = useState<RowFunction>();
  const [chosen, setChosen] = useState<readonly [string?, string?]>([]);
  if (call === undefined) return null;
  const operands = operandsOf(call);
  const named = new Map(operands.map((found) => [found.path, labelOf(found, language)]));
  const [first = operands[0]!.path, second = operands[1]!.path] = chosen.map((path) => (path && named.has(path) ? path : undefined));
  const pick = (label: string, path: string, choose: (path: string) => void) => (
    <Picker label={label} values={[...named.keys()]} chosen={path} nameOf={(each) => named.get(each) ?? each} onChoose={choose} />
  );
  return (
    <details className="computed-column">
      <summary>{t.computedColumn}</summary>
      <Picker
        label={t.computation}
        values={functions}
        chosen={call}
        nameOf={(each) => functionWords[each][language].name}
        onChoose={setCall}
      />
      {pick(t.firstColumn, first, (path) => setChosen([path, second]))}
      {pick(t.secondColumn, second, (path) => setChosen([first, path]))}
      <button
        type="button"
        onClick={() => onAdd(functionText(call, [first, second], [...taken, ...table.columns.map(({ name }) => name)]))}
      >
        {t.addColumn}
      </button>
    </details>
  );
};
