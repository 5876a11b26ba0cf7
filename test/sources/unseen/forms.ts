/** How programs write values: from the canonical form to a cell. Nothing here is shared with the code that reads them. */
import type { Random } from '../../../demo/random.ts';
import type { Cell } from './truth.ts';

/** A value in canonical form becomes a cell. */
export type Form = (value: string, random: Random) => Cell;

export const text: Form = (value) => value;
/** A number or a day as a workbook or a database keeps it. */
export const typedNumber: Form = (value) => ({ kind: 'number', text: value });
export const typedDay: Form = (value) => ({ kind: 'day', text: value });

export interface NumberStyle {
  readonly point: string;
  /** Separators of thousands; one of them is chosen for each value. */
  readonly groups: readonly string[];
  /** Digits behind the point; undefined: as they are, without zeros at the end. */
  readonly places?: number;
  readonly before?: string;
  readonly behind?: string;
  readonly minus?: '-' | '−' | '- ' | 'behind' | 'parentheses';
  /** The mark instead of zeros behind the point, such as `--`. */
  readonly whole?: string;
}

const grouped = (whole: string, mark: string): string => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, () => mark);

export const decimal =
  ({ point, groups, places, before = '', behind = '', minus = '-', whole: wholeMark }: NumberStyle): Form =>
  (value, random) => {
    const number = Number(value);
    const plain = places === undefined ? String(Math.abs(number)) : Math.abs(number).toFixed(places);
    const [whole = '', fraction] = plain.split('.');
    const mark = random.pick(groups);
    const behindPoint = wholeMark !== undefined && Number(fraction ?? 0) === 0 ? wholeMark : fraction;
    const digits = `${grouped(whole, mark)}${behindPoint === undefined ? '' : `${point}${behindPoint}`}`;
    if (number >= 0) return `${before}${digits}${behind}`;
    if (minus === 'parentheses') return `(${before}${digits}${behind})`;
    return minus === 'behind' ? `${before}${digits}-${behind}` : `${before}${minus}${digits}${behind}`;
  };

const partsOf = (value: string) => ({ y: value.slice(0, 4), m: value.slice(5, 7), d: value.slice(8, 10) });
const germanMonths = ['Jan', 'Feb', 'Mär', 'Apr', 'Mai', 'Jun', 'Jul', 'Aug', 'Sep', 'Okt', 'Nov', 'Dez'];
const englishMonths = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const dayForms = {
  'd.m.y': ({ y, m, d }) => `${d}.${m}.${y}`,
  'd.m.yy': ({ y, m, d }) => `${d}.${m}.${y.slice(2)}`,
  'd.m.y 00:00': ({ y, m, d }) => `${d}.${m}.${y} 00:00`,
  'd-m-y': ({ y, m, d }) => `${d}-${m}-${y}`,
  'd/m/y': ({ y, m, d }) => `${d}/${m}/${y}`,
  'm/d/y': ({ y, m, d }) => `${Number(m)}/${Number(d)}/${y}`,
  'm/d/y time': ({ y, m, d }) => `${Number(m)}/${Number(d)}/${y} 12:00:00 AM`,
  'd-Mon-yy': ({ y, m, d }) => `${d}-${englishMonths[Number(m) - 1]}-${y.slice(2)}`,
  'd. Mon y': ({ y, m, d }) => `${Number(d)}. ${germanMonths[Number(m) - 1]} ${y}`,
  ymd: ({ y, m, d }) => `${y}${m}${d}`,
} as const satisfies Record<string, (parts: ReturnType<typeof partsOf>) => string>;

export const day =
  (form: keyof typeof dayForms): Form =>
  (value) =>
    dayForms[form](partsOf(value));

/** A day as a whole number, as old databases keep it. */
export const dayNumber: Form = (value) => ({ kind: 'number', text: value.replaceAll('-', '') });

/** The words or codes of a program for the codes of the catalogue. Codes that it does not tell apart are `other`. */
export const words =
  (of: Readonly<Record<string, string>>, other: string): Form =>
  (value) =>
    of[value] ?? other;

export const flag = (yes: string, no: string): Form => words({ true: yes }, no);
