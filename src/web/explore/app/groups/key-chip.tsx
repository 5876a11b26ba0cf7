/** A key of groups as a chip: its column, its bucket, and the bounds of bands and of series. */
import { useState } from 'react';
import { resolveBand } from '../../../../plan/groups/bands.ts';
import { bandNames } from '../../../../plan/vocabulary/keys.ts';
import { writtenCall } from '../../../../query/write/items.ts';
import type { DescribedTable } from '../../described.ts';
import { usePage } from '../parts/context.ts';
import { isAmount } from '../parts/values.ts';
import { itemOf, textsOfItems } from '../view/conditions.ts';
import { isMoment } from '../view/forms.ts';
import { groupKeyOf } from '../view/group-keys.ts';
import { withoutName } from '../view/named-figure.ts';
import { seriesUpTo, today } from '../view/periods.ts';
import { type FoundColumn, labelOf, referenceOf } from '../view/tables.ts';
import type { View } from '../view/view.ts';

interface KeyChipProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly onChange: (part: Partial<View>) => void;
  /** The key as the address has it. */
  readonly name: string;
}

const moments = ['', 'day', 'week', 'month', 'quarter', 'year', 'age'];
const numbers = ['', 'width', 'ranges'];

/** The buckets that a column can have. Numbers that identify something have none. */
const bucketsOf = (found: FoundColumn | undefined): readonly string[] => {
  if (!found) return [];
  const { kind, codes } = found.column;
  if (isMoment(kind)) return moments;
  const isNumber = kind === 'number' || kind === 'integer' || kind === 'bigint';
  return isNumber && !codes && !referenceOf(found) && found.column.name !== found.table.key ? numbers : [];
};

/** The bounds that a band begins with. Numbers such as years have decades. */
const firstBounds = (bucket: string, found: FoundColumn | undefined): readonly string[] => {
  if (bucket === 'age') return ['30', '60', '90', '365'];
  if (bucket === 'ranges') return ['0', '1000', '5000', '10000'];
  return [found && isAmount(found.column) && found.column.kind === 'number' ? '1000' : '10'];
};

interface ChipFieldProps {
  readonly label: string;
  readonly type: 'text' | 'number' | 'date';
  readonly value: string;
  /** Whether the text is valid, in which case it is applied. */
  readonly onSend: (text: string) => boolean;
}

/** A field that applies when it is left, or by the Enter key. */
const ChipField = ({ label, type, value, onSend }: ChipFieldProps) => {
  const [text, setText] = useState(value);
  const [isWrong, setWrong] = useState(false);
  const send = () => setWrong(text.trim() !== value && !onSend(text.trim()));
  return (
    <input
      type={type}
      aria-label={label}
      title={label}
      aria-invalid={isWrong}
      className={type === 'number' ? 'short' : undefined}
      step="any"
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={send}
      onKeyDown={({ key }) => key === 'Enter' && send()}
    />
  );
};

export const KeyChip = ({ name, view, table, onChange }: KeyChipProps) => {
  const { description, language, t } = usePage();
  const key = groupKeyOf(name, table, description);
  const { path, isSeries, found } = key;
  const item = itemOf(name);
  const bucket = item?.is === 'called' ? item.call : '';
  const given = item?.is === 'called' ? textsOfItems(item.of) : [];
  const series = isSeries ? seriesUpTo(today()) : [];
  const offered = isSeries ? ['month', 'quarter', 'year'] : bucketsOf(found);
  const buckets = offered.includes(bucket) ? offered : [...offered, bucket];
  const label = isSeries ? t.asOf : found ? labelOf(found, language) : name;
  const replace = (keys: readonly string[]) =>
    onChange({
      ...withoutName(view, key.name),
      by: view.by.flatMap((each) => (each === name ? keys : [each])),
      ...(view.across === name && { across: keys[0] ?? '', acrossValue: '' }),
    });
  const choose = (next: string) => {
    const band = bandNames.some((each) => each === next);
    const own = series.find((each) => each.startsWith(`${path}:${next}(`));
    replace([own ?? (next === '' ? path : writtenCall(path, next, band ? firstBounds(next, found) : undefined))]);
  };
  const on = given.find((each) => each.startsWith('on='))?.slice('on='.length) ?? '';
  const bounds = given.filter((each) => !each.startsWith('on='));
  const is = bandNames.find((each) => each === bucket);
  const setBand = (next: readonly string[], day: string): boolean => {
    const date = day === '' || day === 'today' ? undefined : day;
    if (!is || !found || typeof resolveBand({ is, bounds: next, on: date }, { kind: found.column.kind, column: path }) === 'string')
      return false;
    replace([writtenCall(path, is, [...next, ...(date ? [`on=${date}`] : [])])]);
    return true;
  };
  const setSeries = (days: readonly string[]): boolean => {
    const [from = '', to = ''] = days;
    if (from === '' || to === '' || from > to) return false;
    replace([writtenCall(path, bucket, days)]);
    return true;
  };
  return (
    <span className="chip">
      {label}
      {buckets.length > 1 && (
        <select aria-label={label} value={bucket} onChange={({ target }) => choose(target.value)}>
          {buckets.map((each) => (
            <option key={each} value={each}>
              {t.buckets[each] ?? each}
            </option>
          ))}
        </select>
      )}
      {is === 'width' && (
        <ChipField key={name} type="number" label={t.width(label)} value={bounds[0] ?? ''} onSend={(text) => setBand([text], on)} />
      )}
      {(is === 'ranges' || is === 'age') && (
        <ChipField
          key={name}
          type="text"
          label={is === 'age' ? t.ages(label) : t.bounds(label)}
          value={bounds.join(' ')}
          onSend={(text) => setBand(text.split(/[\s,;]+/).filter(Boolean), on)}
        />
      )}
      {is === 'age' && (
        <ChipField
          key={`${name} on`}
          type="date"
          label={t.ageOn(label)}
          value={on === 'today' ? '' : on}
          onSend={(text) => setBand(bounds, text)}
        />
      )}
      {isSeries &&
        [0, 1].map((at) => (
          <ChipField
            key={`${name} ${at}`}
            type="date"
            label={`${label}: ${at === 0 ? t.from : t.to}`}
            value={bounds[at] ?? ''}
            onSend={(text) => setSeries(bounds.with(at, text))}
          />
        ))}
      <button type="button" aria-label={t.remove(label)} onClick={() => replace([])}>
        ✕
      </button>
    </span>
  );
};
