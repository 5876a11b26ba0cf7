/** The values of a column to choose from, with the number of rows of each. Codes that no row has are offered as such. */
import { useState } from 'react';
import { kinds } from '../../../../catalogue/kinds.ts';
import { isObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedTable } from '../../described.ts';
import { useAnswer } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { FailureNote } from '../parts/failure.tsx';
import { countText, valueText } from '../parts/values.ts';
import { keyNameOf } from '../view/group-keys.ts';
import type { FoundColumn } from '../view/tables.ts';
import { addressOf } from '../view/view.ts';
import { writtenText } from './words.ts';

export interface ValueListProps {
  /** The table whose rows have the values. Without one, no numbers of rows are known. */
  readonly table: DescribedTable | undefined;
  readonly found: FoundColumn;
  /** The conditions of the counted rows. */
  readonly others: readonly string[];
  readonly selected: readonly string[];
  /** Whether the selected values are those that rows do not have. */
  readonly isLeftOut: boolean;
  readonly isEmptySelected: boolean;
  readonly onSelect: (values: readonly string[]) => void;
  readonly onSelectEmpty: ((isSelected: boolean) => void) | undefined;
  /** Searches for the entered text instead. */
  readonly onContains: ((text: string) => void) | undefined;
}

interface Offered {
  /** Undefined for rows without a value. */
  readonly value: string | undefined;
  readonly text: string;
  /** Undefined if it is not known. */
  readonly count: number | undefined;
}

/** More values are found by entering them. */
const mostValues = 200;

export const ValueList = ({
  table,
  found,
  others,
  selected,
  isLeftOut,
  isEmptySelected,
  onSelect,
  onSelectEmpty,
  onContains,
}: ValueListProps) => {
  const { description, language, t } = usePage();
  const { path, column } = found;
  const [entered, setEntered] = useState('');
  const { answer, failure, retry } = useAnswer(
    table &&
      addressOf(`/${table.category}/${table.name}/groups`, [
        ['by', path],
        ['count', ''],
        ...(others.length > 0 ? [['where', others.join()] as const] : []),
        ['order', '-count'],
        ['limit', String(mostValues)],
      ]),
  );
  if (failure) return <FailureNote failure={failure} language={language} onRetry={retry} />;
  const name = keyNameOf(path);
  const counted = (answer?.rows ?? []).filter(isObject).map((row): Offered => {
    const value = (row[name] ?? null) as Cell;
    const count = Number(textOf((row.count ?? null) as Cell));
    return value === null
      ? { value: undefined, text: t.empty, count }
      : { value: textOf(value), text: valueText(value, column, description, language), count };
  });
  const isComplete = answer !== undefined && answer.total === answer.rows.length;
  const isListed = (value: string) => counted.some((each) => each.value === value);
  const codes = description.codes[column.codes ?? '']?.map(({ value }) => value) ?? [];
  const further = table && !answer ? [] : [...new Set([...selected, ...codes])].filter((value) => !isListed(value));
  const offered: readonly Offered[] = [
    ...counted,
    ...further.map((value) => ({ value, text: writtenText(value, column, { description, language }), count: isComplete ? 0 : undefined })),
  ];
  const wanted = entered.trim().toLowerCase();
  const listed = offered.filter(({ text }) => text.toLowerCase().includes(wanted));
  const isNew =
    wanted !== '' && kinds[column.kind].parse(entered.trim()) !== undefined && !offered.some(({ value }) => value === entered.trim());
  const toggle = (value: string) => onSelect(selected.includes(value) ? selected.filter((each) => each !== value) : [...selected, value]);
  const add = () => {
    onSelect([...selected, entered.trim()]);
    setEntered('');
  };
  return (
    <fieldset className="value-list">
      <legend>{isLeftOut ? t.leftOutValues : t.values}</legend>
      {(offered.length > 8 || !column.codes) && column.kind !== 'boolean' && (
        <input
          type="search"
          aria-label={t.searchValues}
          placeholder={t.searchValues}
          value={entered}
          onChange={({ target }) => setEntered(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && isNew) add();
          }}
        />
      )}
      {wanted !== '' && (
        <div className="presets">
          {onContains && (
            <button type="button" onClick={() => onContains(entered.trim())}>
              {t.containing(entered.trim())}
            </button>
          )}
          {isNew && (
            <button type="button" onClick={add}>
              {t.addValueText(entered.trim())}
            </button>
          )}
        </div>
      )}
      <div className="values" aria-busy={table !== undefined && !answer}>
        {listed.map(({ value, text, count }) =>
          value === undefined && !onSelectEmpty ? null : (
            <label key={value ?? 'null'} className={count === 0 ? 'quiet' : undefined}>
              <input
                type="checkbox"
                checked={value === undefined ? isEmptySelected : selected.includes(value)}
                onChange={({ target }) => (value === undefined ? onSelectEmpty?.(target.checked) : toggle(value))}
              />
              <span>{text}</span>
              <span className="hint">{count === 0 ? t.noRow : count !== undefined && countText(count, language)}</span>
            </label>
          ),
        )}
        {table && !answer && <span className="hint">{t.loading}…</span>}
      </div>
    </fieldset>
  );
};
