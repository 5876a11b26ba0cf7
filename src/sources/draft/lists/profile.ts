/** What the values of a column are: their look, their forms and contents, whether they are unique, and the few different ones. */
import { plainText } from '../../columns/values.ts';
import type { Formats } from '../../source-file.ts';
import { type Cell, ShownText, type SourceList, type SourceRow, UnreadableCell } from '../../source-rows.ts';
import { type Content, contentsOf } from '../forms/contents.ts';
import { type DateForms, dateFormsOf } from '../forms/date-forms.ts';
import { type NumberForms, numberFormsOf } from '../forms/number-forms.ts';
import { type Records, recordsOf, textOf } from './records.ts';

export type Look = 'empty' | 'integer' | 'number' | 'date' | 'boolean' | 'text';

export interface ColumnProfile {
  readonly name: string;
  /** What a database says of the column. */
  readonly comment?: string;
  /** The most telling look. */
  readonly look: Look;
  /** All looks that the values can have: `20240331` is an integer and a day. */
  readonly looks: ReadonlySet<Look>;
  readonly numbers: NumberForms | undefined;
  readonly dates: DateForms | undefined;
  readonly booleans: Formats | undefined;
  /** Words for no value, such as `-`. */
  readonly missing: readonly string[];
  readonly contents: ReadonlySet<Content>;
  readonly filled: number;
  readonly rows: number;
  readonly isUnique: boolean;
  /** The number of different values. */
  readonly different: number;
  /** The different values, if there are few. */
  readonly values: readonly string[];
  readonly sample: ReadonlySet<string>;
}

export interface ListProfile {
  readonly rows: number;
  readonly columns: readonly ColumnProfile[];
  readonly records: Records;
  /** Whether the values of these columns identify each row. */
  readonly identifies: (names: readonly string[]) => boolean;
  /** How many rows repeat a key of these columns, with the first lines that do; undefined if a value is missing. */
  readonly repeatsOf: (names: readonly string[]) => { readonly rows: number; readonly lines: readonly number[] } | undefined;
  /** The texts of a column, in the order of the rows. */
  readonly textsOf: (name: string) => readonly string[];
}

const sampledRows = 20_000;
const sampledValues = 5_000;
const fewValues = 30;

const noValue =
  /^(?:(?:(?:€|EUR|CHF|\$)\s*)?[-–—]{1,3}(?:\s*(?:€|EUR|CHF|\$))?|–|—|\.|n\/a|n\.a\.|na|k\.\s?a\.|null|nil|none|keine angabe|nvt|n\.v\.t\.|#n\/a|00\.00\.0000|0000-00-00|00\/00\/0000)$/i;
/** An end in this year is no end. */
const never = /(?:^|\D)9999(?:\D|$)/;

const booleans: readonly (readonly [RegExp, Formats])[] = [
  [/^(?:true|false)$/i, {}],
  [/^(?:ja|nein)$/i, { trueValues: ['ja'], falseValues: ['nein'] }],
  [/^(?:j|n)$/i, { trueValues: ['j'], falseValues: ['n'] }],
  [/^(?:ja|nee)$/i, { trueValues: ['ja'], falseValues: ['nee'] }],
  [/^(?:yes|no)$/i, { trueValues: ['yes'], falseValues: ['no'] }],
  [/^(?:y|n)$/i, { trueValues: ['y'], falseValues: ['n'] }],
  [/^(?:wahr|falsch)$/i, { trueValues: ['wahr'], falseValues: ['falsch'] }],
  [/^(?:[01])$/, { trueValues: ['1'], falseValues: ['0'] }],
  [/^x$/i, { trueValues: ['x'] }],
];

/** A value with its type, in the form of a load. */
const typedOf = (cell: Cell): { readonly look: Look; readonly text: string } | undefined => {
  if (typeof cell === 'string' || cell === null || cell instanceof UnreadableCell) return undefined;
  const text = plainText(cell);
  if (cell instanceof Date) return { look: 'date', text };
  if (typeof cell === 'boolean') return { look: 'boolean', text };
  if (/^-?\d+$/.test(text)) return { look: 'integer', text };
  if (/^-?\d+\.\d+$/.test(text)) return { look: 'number', text };
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) return { look: 'date', text };
  return { look: 'text', text };
};

const compactDay = /^(?:1[89]|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;

/** Days as whole numbers, such as 20240331, in which zeros are no day. */
const areCompactDays = (cells: readonly Cell[]): boolean => {
  const texts = new Set(cells.map((cell) => (cell === null ? '' : (typedOf(cell)?.text ?? textOf(cell)))));
  const days = [...texts].filter((text) => compactDay.test(text));
  return days.length > 0 && [...texts].every((text) => compactDay.test(text) || /^0*$/.test(text));
};

const profileOf = (name: string, cells: readonly Cell[]): ColumnProfile => {
  const [sample, texts, missing] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const hasCompactDays = areCompactDays(cells);
  const typedLooks = new Set<Look>();
  let [filled, repeated] = [0, 0];
  for (const cell of cells) {
    const own = cell === null ? undefined : typedOf(cell);
    const text = own?.text ?? textOf(cell);
    if (text === '') continue;
    if ((typeof cell === 'string' && noValue.test(text)) || never.test(text) || (hasCompactDays && /^0+$/.test(text))) {
      missing.add(cell instanceof ShownText ? (cell.shown[0] ?? text) : text);
      continue;
    }
    filled++;
    if (sample.has(text)) repeated++;
    else if (sample.size < sampledValues || cells.length <= sampledRows) sample.add(text);
    if (own && !hasCompactDays) typedLooks.add(own.look);
    else texts.add(text);
  }
  const written = [...texts];
  const numbers = numberFormsOf(written);
  const dates = dateFormsOf(written);
  const flags = booleans.find(([pattern]) => written.length > 0 && written.every((text) => pattern.test(text)))?.[1];
  const looks = new Set<Look>();
  const isOnly = (...allowed: Look[]) => [...typedLooks].every((look) => allowed.includes(look));
  if (sample.size === 0) looks.add('empty');
  else {
    if ((numbers || written.length === 0) && isOnly('integer', 'number'))
      looks.add(numbers?.isWhole === false || typedLooks.has('number') ? 'number' : 'integer');
    if ((dates || written.length === 0) && isOnly('date')) looks.add('date');
    const isFlag = typedLooks.size > 0 && [...sample].every((text) => text === '0' || text === '1');
    if ((flags || written.length === 0) && (isOnly('boolean') || (isFlag && isOnly('integer', 'boolean')))) looks.add('boolean');
    if (written.length > 0 && looks.size === 0) looks.add('text');
    if (looks.size === 0) looks.add('text');
  }
  const [look = 'text'] = looks;
  const values = [...sample];
  return {
    name,
    look: looks.has('date') && dates && dates.numeric.size > 0 ? 'date' : look,
    looks,
    numbers: looks.has('number') || looks.has('integer') ? numbers : undefined,
    dates: looks.has('date') ? dates : undefined,
    booleans: looks.has('boolean') ? (flags ?? {}) : undefined,
    missing: [...missing],
    contents: contentsOf(values),
    filled,
    rows: cells.length,
    isUnique: repeated === 0 && filled === cells.length && cells.length > 0,
    different: sample.size,
    values: values.length <= fewValues ? values : [],
    sample,
  };
};

/** Looks at the first rows of a list. `isTable`: its rows are all records, as those of a database are. */
export const profile = async (list: SourceList, isTable = false): Promise<ListProfile> => {
  const rows: SourceRow[] = [];
  for await (const batch of list.rows) {
    // A row of a CSV file would keep the bytes of its batch.
    rows.push(...batch.slice(0, sampledRows - rows.length).map(({ line, cells }) => ({ line, cells })));
    if (rows.length >= sampledRows) break;
  }
  const records: Records = isTable
    ? { rows, columns: list.columns, skip: [], fillDown: [], headings: [], questions: [] }
    : await recordsOf(list.columns, rows);
  const { rows: kept, columns: names } = records;
  const columns = names.map((name, at) =>
    profileOf(
      name,
      kept.map(({ cells }) => cells[at] ?? null),
    ),
  );
  const keysOf = (wanted: readonly string[]): (string | undefined)[] => {
    const at = wanted.map((name) => names.indexOf(name));
    return kept.map(({ cells }) => {
      const texts = at.map((index) => textOf(cells[index]));
      return texts.includes('') ? undefined : JSON.stringify(texts);
    });
  };
  const repeatsOf = (wanted: readonly string[]) => {
    const keys = keysOf(wanted);
    if (keys.includes(undefined)) return undefined;
    const seen = new Set<string>();
    const lines = keys.flatMap((key, index) => {
      if (seen.has(key!)) return [kept[index]!.line];
      seen.add(key!);
      return [];
    });
    return { rows: lines.length, lines: lines.slice(0, 5) };
  };
  return {
    rows: kept.length,
    columns,
    records,
    identifies: (wanted) => {
      const at = wanted.map((name) => names.indexOf(name));
      return (
        kept.length > 0 && new Set(kept.map(({ cells }) => JSON.stringify(at.map((index) => textOf(cells[index]))))).size === kept.length
      );
    },
    repeatsOf,
    textsOf: (name) => {
      const at = names.indexOf(name);
      return kept.map(({ cells }) => textOf(cells[at]));
    },
  };
};
