/** How the columns of a raw table are exported: as columns of the export, and the rule that reads them. */
import type { ColumnRule } from '../../../src/sources/source-file.ts';
import { once, pick, type Random, type Style, writeDay, writeNumber, writeValue } from './style.ts';

/** A value of the export: text, or a value with its type, in the form of the database. */
export type Cell = string | null | { readonly type: string; readonly text: string };

export interface WrittenColumn {
  /** The name in rules; known when the list is written. */
  name: string;
  readonly cells: Cell[];
}

export interface Exported {
  readonly written: readonly WrittenColumn[];
  /** Undefined if the column is not in the source. */
  readonly rule: () => string | ColumnRule | undefined;
}

export interface Writing {
  readonly random: Random;
  readonly style: Style;
  /** Whether the format of the list has types. */
  readonly isTyped: boolean;
  /** Whether the column identifies a row. Then a `join` has a value only if each part has one. */
  readonly identifies?: boolean;
}

type Values = readonly (string | null)[];

export const written = (cells: Cell[]): WrittenColumn => ({ name: '', cells });

/** In the form of a load: that of the database, except times. */
const plain = (type: string, text: string): string => (type === 'timestamptz' ? text.replace(' ', 'T').replace('+00', 'Z') : text);

const isOuter = (value: string | null): boolean => value !== null && value.trim() !== value;

/** The value as it is, as text of the style or with its type. */
const direct = ({ random, style, isTyped }: Writing, type: string, values: Values): Exported => {
  const asTyped = isTyped && !once(random, 4);
  const column = written(
    values.map((value) => (value === null ? null : asTyped && type !== 'text' ? { type, text: value } : writeValue(style, type, value))),
  );
  return {
    written: [column],
    rule: () => (values.some(isOuter) ? { from: column.name, formats: { trim: false } } : column.name),
  };
};

const distinct = (values: Values): string[] => [...new Set(values.filter((value) => value !== null))];

const coded = ({ random }: Writing, type: string, values: Values): Exported | undefined => {
  const different = distinct(values);
  if (different.length === 0 || different.length > 12) return undefined;
  const codes = new Map(different.map((value, index) => [value, `C${index}${pick(random, ['', 'ä', ' x'])}`]));
  const how = pick(random, ['refuse', 'keep', 'null', 'code'] as const);
  const last = different.at(-1)!;
  if ((how === 'keep' && type === 'text' && !isOuter(last)) || how === 'code') codes.delete(last);
  const column = written(
    values.map((value) => (value === null ? (how === 'null' ? 'ohne' : null) : (codes.get(value) ?? (how === 'code' ? 'sonst' : value)))),
  );
  return {
    written: [column],
    rule: () => ({
      from: column.name,
      codes: Object.fromEntries([...codes].map(([value, code]) => [code, plain(type, value)])),
      unknownCodes: how === 'code' ? { code: plain(type, last) } : how,
    }),
  };
};

const constant = (_: Writing, type: string, values: Values): Exported | undefined => {
  const [first = null, ...others] = distinct(values);
  if (first === null || others.length > 0 || values.includes(null)) return undefined;
  return { written: [], rule: () => ({ constant: type === 'boolean' ? first === 'true' : plain(type, first) }) };
};

const withDefault = (writing: Writing, type: string, values: Values): Exported | undefined => {
  if (values.includes(null) || values.length === 0) return undefined;
  const usual = pick(writing.random, values)!;
  const { written: columns, rule } = direct(
    writing,
    type,
    values.map((value) => (value === usual ? null : value)),
  );
  return {
    written: columns,
    rule: () => {
      const own = rule()!;
      return { ...(typeof own === 'string' ? { from: own } : own), default: plain(type, usual) };
    },
  };
};

const firstOfTwo = (writing: Writing, type: string, values: Values): Exported | undefined => {
  if (values.some(isOuter)) return undefined;
  const sides = values.map(() => writing.random(3));
  const one = direct(
    writing,
    type,
    values.map((value, index) => (sides[index]! > 0 ? value : null)),
  );
  const two = direct(
    writing,
    type,
    values.map((value, index) => (sides[index]! < 2 ? value : null)),
  );
  const columns = [...one.written, ...two.written];
  return { written: columns, rule: () => ({ from: columns.map(({ name }) => name) }) };
};

const joined = ({ random, style, identifies = false }: Writing, type: string, values: Values): Exported | undefined => {
  const separator = pick(random, [' ', '-', ' / ']);
  const pieces = values.map((value) => {
    const at = value?.indexOf(separator) ?? -1;
    return value === null ? [null, null] : at < 0 ? [value, null] : [value.slice(0, at), value.slice(at + separator.length)];
  });
  const isWhole = (piece: string | null) => piece === null || (piece !== '' && piece.trim() === piece && piece !== style.missing);
  if (identifies && pieces.some(([first, second]) => first !== null && second === null)) return undefined;
  if (type !== 'text' || !pieces.flat().every(isWhole)) return undefined;
  const columns = [0, 1].map((side) => written(pieces.map((pair) => pair[side] ?? null)));
  return { written: columns, rule: () => ({ join: columns.map(({ name }) => name), separator }) };
};

/** Written in another way, and read with a function. */
const applied = (writing: Writing, type: string, values: Values): Exported | undefined => {
  const { random, style } = writing;
  const as = (write: (value: string) => string, ...apply: NonNullable<ColumnRule['apply']>): Exported => {
    const column = written(values.map((value) => (value === null ? null : write(value))));
    return { written: [column], rule: () => ({ from: column.name, apply }) };
  };
  const every = (holds: (value: string) => boolean) => values.every((value) => value === null || holds(value));
  if (type === 'date') {
    if (every((day) => day.endsWith('-01')) && once(random, 2))
      return as((day) => writeDay(style, `${day.slice(0, 8)}${10 + random(18)}`), 'firstOfMonth');
    return as((day) => `${writeDay(style, day)} 13:45:${10 + random(50)}`, 'date');
  }
  if (type.startsWith('numeric')) {
    const scale = Number(/,(\d)\)/.exec(type)![1]);
    const negated = (text: string) => (text.startsWith('-') ? text.slice(1) : `-${text}`);
    if (once(random, 3)) return as((text) => writeNumber(style, `${text}${pick(random, ['', '0', '4', '49'])}`), { round: scale });
    if (once(random, 2))
      return as((text) => writeNumber(style, text.replace('.', '').replace(/^(-?)0+(?=\d)/, '$1')), { multiply: Number(`1e-${scale}`) });
    if (every((text) => !text.startsWith('-'))) return as((text) => writeNumber(style, negated(text)), 'absolute');
    return as((text) => writeNumber(style, negated(text)), 'negate');
  }
  if (type === 'integer' && every((text) => /^20\d\d$/.test(text)))
    return as((year) => writeDay(style, `${year}-07-${10 + random(20)}`), 'year');
  if (type === 'integer' && every((text) => Number(text) >= 1 && Number(text) <= 12))
    return as((month) => writeDay(style, `2021-${month.padStart(2, '0')}-${10 + random(18)}`), 'month');
  if (type !== 'text' || values.some(isOuter)) return undefined;
  if (every((text) => text === text.toUpperCase() && text.toLowerCase().toUpperCase() === text))
    return as((text) => text.toLowerCase(), 'upper');
  if (every((text) => /^0+[1-9]\d*$/.test(text)) && new Set(values.map((text) => text?.length)).size === 1)
    return as((text) => text.replace(/^0+/, ''), { padStart: (values.find((text) => text !== null) ?? '0').length });
  if (every((text) => /^\d+$/.test(text))) return as((text) => `Nr. ${text}/`, 'digits');
  if (every((text) => !text.includes('~') && text.includes('e')))
    return as((text) => text.replaceAll('e', '~'), { replace: '~', with: 'e' });
  return undefined;
};

const absent = (_: Writing, _type: string, values: Values): Exported | undefined =>
  values.length > 0 && values.every((value) => value === null) ? { written: [], rule: () => undefined } : undefined;

const others = [coded, constant, withDefault, firstOfTwo, joined, applied, absent];

/** A column of the raw table in one of the forms that suit its values. */
export const exportColumn = (writing: Writing, type: string, values: Values): Exported =>
  (once(writing.random, 2) ? pick(writing.random, others)(writing, type, values) : undefined) ?? direct(writing, type, values);

const address = { street: /^[A-Za-zÄÖÜäöüß. -]+$/, house_no: /^\d+[a-z]?$/, postal_code: /^\d{5}$/, city: /^[A-Za-zÄÖÜäöüß]+$/ };
const partNames = { street: 'street', house_no: 'houseNumber', postal_code: 'postalCode', city: 'city' } as const;

/** Four columns of an address as one; undefined if the values have another form. */
export const exportAddress = (valuesOf: (column: string) => Values | undefined): ReadonlyMap<string, Exported> | undefined => {
  const columns = Object.keys(address) as (keyof typeof address)[];
  const all = columns.map((column) => valuesOf(column));
  const fits = columns.every((column, index) =>
    all[index]?.every((value) => value !== null && value.trim() === value && address[column].test(value)),
  );
  if (!fits) return undefined;
  const whole = written(all[0]!.map((_, row) => `${all[0]![row]} ${all[1]![row]}, ${all[2]![row]} ${all[3]![row]}`));
  return new Map(
    columns.map((column, index) => [
      column,
      { written: index === 0 ? [whole] : [], rule: () => ({ from: whole.name, part: partNames[column] }) },
    ]),
  );
};
