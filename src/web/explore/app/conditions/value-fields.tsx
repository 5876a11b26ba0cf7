/** The fields of a condition on one value: a value, two bounds, or a time from today. What is entered applies when it is sent. */
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { Kind } from '../../../../catalogue/column.ts';
import { kinds } from '../../../../catalogue/kinds.ts';
import { usePage } from '../parts/context.ts';
import { ShownDay } from '../parts/day-field.tsx';
import { countText } from '../parts/values.ts';
import type { ValueCondition } from '../view/condition-tree.ts';
import { atDistance, betweenDays, daysOf, distanceOf, isMoment, type OwnForm } from '../view/forms.ts';
import { presetNames, presets, type TimeUnit, timeUnits, today } from '../view/periods.ts';
import type { FoundColumn } from '../view/tables.ts';

interface FieldsProps {
  readonly found: FoundColumn;
  readonly condition: ValueCondition | undefined;
  readonly onChange: (condition: ValueCondition | undefined) => void;
}

/** A text as a value of a kind. */
const parsed = (text: string, kind: Kind): string | undefined => {
  const entered = text.trim();
  return kinds[kind].parse(kind === 'timestamp' && /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(entered) ? `${entered}Z` : entered);
};

const localTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z?$/;

/** The kind of field for a value, so that browsers help to enter it. A value that it cannot show is text. */
const fieldOf = (kind: Kind, value: string): 'date' | 'datetime-local' | 'number' | 'text' => {
  if (kind === 'date') return value === '' || kinds.date.parse(value) !== undefined ? 'date' : 'text';
  if (kind === 'timestamp') return value === '' || localTime.test(value) ? 'datetime-local' : 'text';
  return kinds[kind].isText || kind === 'boolean' || (value !== '' && !/^-?\d+(?:\.\d+)?$/.test(value)) ? 'text' : 'number';
};

/** Sends the entered texts, unless one of them is no value of the column. */
const Entry = ({ onSend, hint, children }: { readonly onSend: () => boolean; readonly hint: string; readonly children: ReactNode }) => {
  const { t } = usePage();
  const [isWrong, setWrong] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setWrong(!onSend());
  };
  return (
    <form noValidate onSubmit={send}>
      <div className="bounds">
        {children}
        <button type="submit">{t.apply}</button>
      </div>
      {isWrong && (
        <p className="hint" role="alert">
          {hint}
        </p>
      )}
    </form>
  );
};

interface ValueFieldProps {
  readonly found: FoundColumn;
  readonly label: string;
  readonly value: string;
  readonly onSend: (value: string) => void;
}

/** One value: a code or a truth by choosing, any other by entering it. */
export const ValueField = ({ found: { column }, label, value, onSend }: ValueFieldProps) => {
  const { description, language, t } = usePage();
  const [text, setText] = useState(value);
  const codes = description.codes[column.codes ?? ''];
  const options =
    column.kind === 'boolean'
      ? [
          { value: 'true', text: t.yes },
          { value: 'false', text: t.no },
        ]
      : codes?.map((code) => ({ value: code.value, text: code.label[language] }));
  if (options)
    return (
      <label className="picker">
        {label}
        <select value={value} onChange={({ target }) => onSend(target.value)}>
          {!options.some((each) => each.value === value) && <option value={value}>{value === '' ? '…' : value}</option>}
          {options.map((each) => (
            <option key={each.value} value={each.value}>
              {each.text}
            </option>
          ))}
        </select>
      </label>
    );
  const type = fieldOf(column.kind, value);
  const send = () => {
    const entered = kinds[column.kind].isText ? text : parsed(text, column.kind);
    if (entered === undefined) return false;
    onSend(entered);
    return true;
  };
  return (
    <Entry onSend={send} hint={t.noSuchValue}>
      <label>
        {label}
        <ShownDay day={text}>
          <input
            type={type}
            step="any"
            value={type === 'datetime-local' ? text.replace(/Z$/, '') : text}
            onChange={({ target }) => setText(target.value)}
          />
        </ShownDay>
      </label>
    </Entry>
  );
};

/** A number of rows. */
export const CountField = ({ label, value, onSend }: Omit<ValueFieldProps, 'found'>) => {
  const { t } = usePage();
  const [text, setText] = useState(value);
  const send = () => {
    if (!/^\d{1,9}$/.test(text)) return false;
    onSend(text);
    return true;
  };
  return (
    <Entry onSend={send} hint={t.noSuchValue}>
      <label>
        {label}
        <input type="number" min="0" value={text} onChange={({ target }) => setText(target.value)} />
      </label>
    </Entry>
  );
};

/** Bounds of amounts, and of numbers of days, that people ask for. */
const amounts = ['0', '1000', '10000'] as const;
const numbersOfDays = ['0', '30', '90', '365'] as const;

/** Periods and amounts by one click. */
export const Presets = ({ found: { path: name, column }, condition, onChange }: FieldsProps) => {
  const { t, language } = usePage();
  const offered: readonly (readonly [label: string, condition: ValueCondition | undefined])[] = isMoment(column.kind)
    ? presetNames.map((preset) => {
        const { from, to } = presets[preset](today());
        return [t.presets[preset], betweenDays(name, column.kind, from, to)] as const;
      })
    : [
        ...(column.unit === 'days' ? numbersOfDays : amounts).map(
          (value) => [t.over(countText(Number(value), language)), { is: 'compared', name, by: 'gt', value }] as const,
        ),
        [t.below0, { is: 'compared', name, by: 'lt', value: '0' }] as const,
      ];
  const shown = JSON.stringify(condition);
  return (
    <div className="presets">
      {offered.map(([label, preset]) => (
        <button key={label} type="button" aria-pressed={JSON.stringify(preset) === shown} onClick={() => onChange(preset)}>
          {label}
        </button>
      ))}
    </div>
  );
};

/** The bounds of a condition, as the fields show them. */
const shownBounds = (condition: ValueCondition | undefined, kind: Kind): readonly [from: string, to: string] => {
  const days = condition && daysOf(condition, kind);
  if (days) return [days.from, days.to];
  if (condition?.is === 'between') return [condition.from, condition.to];
  if (condition?.is !== 'compared') return ['', ''];
  return condition.by === 'gte' || condition.by === 'gt' ? [condition.value, ''] : ['', condition.value];
};

export const BoundsFields = ({ found: { path: name, column }, condition, onChange }: FieldsProps) => {
  const { t } = usePage();
  const [first, last] = shownBounds(condition, column.kind);
  const [from, setFrom] = useState(first);
  const [to, setTo] = useState(last);
  // Bounds of times are days, unless they are parts of days.
  const isOfDays = column.kind === 'timestamp' && (!condition || condition.is === 'called' || daysOf(condition, column.kind) !== undefined);
  const kind = isOfDays ? 'date' : column.kind;
  const by = condition?.is === 'between' ? condition.by : 'lte';
  const send = () => {
    const [lower, upper] = [from, to].map((text) => (text.trim() === '' ? '' : parsed(text, kind)));
    if (lower === undefined || upper === undefined) return false;
    if (isMoment(kind) && kind === 'date') onChange(betweenDays(name, column.kind, lower, upper));
    else if (lower !== '' && upper !== '') onChange({ is: 'between', name, from: lower, to: upper, by });
    else if (lower === '' && upper === '') onChange(undefined);
    else onChange({ is: 'compared', name, by: lower === '' ? by : 'gte', value: lower + upper });
    return true;
  };
  return (
    <Entry onSend={send} hint={t.noSuchValue}>
      <label>
        {t.from}
        <ShownDay day={from}>
          <input type={fieldOf(kind, first)} step="any" value={from} onChange={({ target }) => setFrom(target.value)} />
        </ShownDay>
      </label>
      <label>
        {t.to}
        <ShownDay day={to}>
          <input type={fieldOf(kind, last)} step="any" value={to} onChange={({ target }) => setTo(target.value)} />
        </ShownDay>
      </label>
    </Entry>
  );
};

/** A number of days, weeks, months or years before or after today. */
export const TimeFields = ({ found: { path: name, column }, form, condition, onChange }: FieldsProps & { readonly form: OwnForm }) => {
  const { t } = usePage();
  const id = useId();
  const given = distanceOf(condition, today());
  const [count, setCount] = useState(String(given.count));
  const [unit, setUnit] = useState<TimeUnit>(given.unit);
  const send = () => {
    if (!/^\d{1,5}$/.test(count)) return false;
    onChange(atDistance(name, column.kind, form, { count: Number(count), unit }, today()));
    return true;
  };
  return (
    <Entry onSend={send} hint={t.noSuchValue}>
      <label>
        {t.number}
        <input type="number" min="0" max="99999" value={count} onChange={({ target }) => setCount(target.value)} />
      </label>
      <label htmlFor={id}>
        {t.unit}
        <select id={id} value={unit} onChange={({ target }) => setUnit(target.value as TimeUnit)}>
          {timeUnits.map((each) => (
            <option key={each} value={each}>
              {t.units[each]}
            </option>
          ))}
        </select>
      </label>
    </Entry>
  );
};
