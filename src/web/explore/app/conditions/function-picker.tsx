/** Chooses a function of two columns of each row, also of related rows: for a column, or for a condition. */
import { useState } from 'react';
import { type RowFunction, rowFunctionNames } from '../../../../plan/vocabulary/values.ts';
import { Picker } from '../../../browser/controls.tsx';
import type { DescribedTable } from '../../described.ts';
import { usePage } from '../parts/context.ts';
import { appliesTo, functionWords } from '../view/row-functions.ts';
import { findColumn, labelOf, tableOf, toOne } from '../view/tables.ts';

interface FunctionPickerProps {
  readonly table: DescribedTable;
  readonly label: string;
  /** The label of the button that ends the choice. */
  readonly action: string;
  readonly onChoose: (call: RowFunction, paths: readonly [string, string]) => void;
}

export const FunctionPicker = ({ table, label, action, onChoose }: FunctionPickerProps) => {
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
  const pick = (name: string, path: string, choose: (path: string) => void) => (
    <Picker label={name} values={[...named.keys()]} chosen={path} nameOf={(each) => named.get(each) ?? each} onChoose={choose} />
  );
  return (
    <details className="computed-column">
      <summary>{label}</summary>
      <Picker
        label={t.computation}
        values={functions}
        chosen={call}
        nameOf={(each) => functionWords[each][language].name}
        onChoose={setCall}
      />
      {pick(t.firstColumn, first, (path) => setChosen([path, second]))}
      {pick(t.secondColumn, second, (path) => setChosen([first, path]))}
      <button type="button" onClick={() => onChoose(call, [first, second])}>
        {action}
      </button>
    </details>
  );
};
