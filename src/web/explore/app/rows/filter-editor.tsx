/** Edits the conditions of one column by clicks: values with counts, ranges with presets, a search in text, empty or not. */
import { type FormEvent, useState } from 'react';
import { isObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedTable } from '../../described.ts';
import { useAnswer } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { FailureNote } from '../parts/failure.tsx';
import { countText, isAmount, valueText } from '../parts/values.ts';
import {
  between,
  boundOf,
  compared,
  contains,
  isEmpty,
  isNotEmpty,
  oneOf,
  replaced,
  searchedText,
  selectedValues,
} from '../view/conditions.ts';
import { presetNames, presets, today } from '../view/periods.ts';
import type { FoundColumn } from '../view/tables.ts';
import { addressOf, keyNameOf } from '../view/view.ts';

interface EditorProps {
  readonly table: DescribedTable;
  readonly found: FoundColumn;
  readonly where: readonly string[];
  /** Replaces the conditions of the column. */
  readonly onChange: (conditions: readonly string[]) => void;
}

/** More values are found by searching. */
const mostValues = 200;

/** The values of the column among the rows of the other filters, with their counts. */
const ValueList = ({ table, found, where, onChange }: EditorProps) => {
  const { description, language, t } = usePage();
  const [searched, setSearched] = useState('');
  const { path, column } = found;
  const others = replaced(where, path, []);
  const { answer, failure, retry } = useAnswer(
    addressOf(`/${table.category}/${table.name}/groups`, [
      ['by', path],
      ['count', ''],
      ...(others.length > 0 ? [['where', others.join()] as const] : []),
      ['order', '-count'],
      ['limit', String(mostValues)],
    ]),
  );
  const selected = selectedValues(where, path);
  if (failure) return <FailureNote failure={failure} language={language} onRetry={retry} />;
  const name = keyNameOf(path);
  const values = (answer?.rows ?? []).filter(isObject).map((row) => {
    const value = (row[name] ?? null) as Cell;
    return { value, text: valueText(value, column, description, language), count: Number(textOf((row.count ?? null) as Cell)) };
  });
  const listed = values.filter(({ text }) => text.toLowerCase().includes(searched.toLowerCase()));
  const toggle = (value: string) =>
    onChange(oneOf(path, selected.includes(value) ? selected.filter((each) => each !== value) : [...selected, value]));
  return (
    <fieldset className="value-list">
      <legend>{t.values}</legend>
      {values.length > 8 && (
        <input
          type="search"
          aria-label={t.search}
          placeholder={t.search}
          value={searched}
          onChange={({ target }) => setSearched(target.value)}
        />
      )}
      <div className="values" aria-busy={!answer}>
        {listed.map(({ value, text, count }) =>
          value === null ? (
            <label key="null">
              <input
                type="checkbox"
                checked={where.includes(isEmpty(path))}
                onChange={({ target }) => onChange(target.checked ? [isEmpty(path)] : [])}
              />
              <span>{t.empty}</span>
              <span className="hint">{countText(count, language)}</span>
            </label>
          ) : (
            <label key={textOf(value)}>
              <input type="checkbox" checked={selected.includes(textOf(value))} onChange={() => toggle(textOf(value))} />
              <span>{text}</span>
              <span className="hint">{countText(count, language)}</span>
            </label>
          ),
        )}
        {!answer && <span className="hint">{t.loading}…</span>}
      </div>
    </fieldset>
  );
};

/** Bounds of amounts that people ask for. */
const amounts = ['0', '1000', '10000'] as const;

const RangeEditor = ({ found, where, onChange }: EditorProps) => {
  const { t, language } = usePage();
  const { path, column } = found;
  const isDate = column.kind === 'date' || column.kind === 'timestamp';
  const dayOf = (text: string) => (isDate ? text.slice(0, 10) : text);
  const [from, setFrom] = useState(dayOf(boundOf(where, path, 'gte')));
  const [to, setTo] = useState(dayOf(boundOf(where, path, 'lte')));
  /** The bounds of a point in time are the first and the last moment of their days. */
  const bounds = (first: string, last: string): readonly string[] =>
    column.kind === 'timestamp'
      ? between(path, first && `${first}T00:00:00Z`, last && `${last}T23:59:59.999999Z`)
      : between(path, first, last);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    onChange(bounds(from.trim(), to.trim()));
  };
  const now = today();
  return (
    <fieldset className="range">
      <legend>{isDate ? t.buckets.day : t.values}</legend>
      <div className="presets">
        {isDate
          ? presetNames.map((name) => {
              const range = presets[name](now);
              const conditions = bounds(range.from, range.to);
              return (
                <button
                  key={name}
                  type="button"
                  aria-pressed={conditions.every((condition) => where.includes(condition))}
                  onClick={() => {
                    setFrom(range.from);
                    setTo(range.to);
                    onChange(conditions);
                  }}
                >
                  {t.presets[name]}
                </button>
              );
            })
          : [
              ...amounts.map((amount) => [compared(path, 'gt', amount), t.over(countText(Number(amount), language))] as const),
              [compared(path, 'lt', '0'), t.below0] as const,
            ].map(([condition, label]) => (
              <button key={condition} type="button" aria-pressed={where.includes(condition)} onClick={() => onChange([condition])}>
                {label}
              </button>
            ))}
      </div>
      <form className="bounds" onSubmit={apply}>
        <label>
          {t.from}
          <input type={isDate ? 'date' : 'number'} step="any" value={from} onChange={({ target }) => setFrom(target.value)} />
        </label>
        <label>
          {t.to}
          <input type={isDate ? 'date' : 'number'} step="any" value={to} onChange={({ target }) => setTo(target.value)} />
        </label>
        <button type="submit">{t.apply}</button>
      </form>
    </fieldset>
  );
};

const TextSearch = ({ found, where, onChange }: EditorProps) => {
  const { t } = usePage();
  const [text, setText] = useState(searchedText(where, found.path));
  return (
    <form
      className="bounds"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(contains(found.path, text));
      }}
    >
      <label>
        {t.contains}
        <input type="search" value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <button type="submit">{t.apply}</button>
    </form>
  );
};

const isRange = ({ column }: FoundColumn): boolean => ['date', 'timestamp'].includes(column.kind) || isAmount(column);

export const FilterEditor = (props: EditorProps) => {
  const { t } = usePage();
  const { found, where, onChange } = props;
  const { path, column } = found;
  const either = (condition: string, label: string) => (
    <button type="button" aria-pressed={where.includes(condition)} onClick={() => onChange(where.includes(condition) ? [] : [condition])}>
      {label}
    </button>
  );
  return (
    <div className="filter-editor">
      {column.kind === 'string' && !column.codes && <TextSearch {...props} />}
      {isRange(found) ? <RangeEditor {...props} /> : <ValueList {...props} />}
      <div className="presets">
        {either(isEmpty(path), t.empty)}
        {either(isNotEmpty(path), t.notEmpty)}
      </div>
    </div>
  );
};
