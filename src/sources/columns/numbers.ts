/** Reads numbers in the formats of exports as exact decimal text. */
import { decimalText, withoutExponent } from '../../sync/files/json/decimal-text.ts';
import { Rejection } from '../../sync/files/rejections.ts';
import type { Formats } from '../source-file.ts';

type NumberFormats = Pick<Formats, 'decimalChar' | 'groupChar' | 'bareNumber' | 'trailingMinus' | 'parentheses'>;

/** PostgreSQL's `numeric` has at most 1,000 digits in a declaration. The limit also bounds the time of patterns and of exact arithmetic. */
const longestNumber = 1_000;

const escaped = (character: string): string => character.replace(/[.*+?^${}()|[\]\\\-/]/, '\\$&');

/** What may be beside a number: a currency on either side, a unit after it. */
const currency = 'US\\$|\\$|€|£|EUR|Euro|USD|GBP|CHF|SFr\\.?|Fr\\.';
const unit = '%|m²|m2|qm|sqm|sq\\.? ?m\\.?|sq\\.? ?ft\\.?|sqft|sf|ft²';
const beside = new RegExp(`^(?:${currency}) *| *(?:(?:${currency})(?: ?/ ?(?:${unit}))?|${unit})$`, 'i');
/** The words beside a number: `450,00 €/m²` has `€/m²`. */
const unitsBeside = (text: string): string[] => [beside.exec(text)?.[0].trim() ?? ''].filter((word) => word !== '');

/** The signs and blanks of a typesetter in the form of a typewriter: a minus, an apostrophe and blanks that do not break. */
export const typed = (text: string): string =>
  text
    .replaceAll(/[\u2212\ufe63\uff0d]/g, '-')
    .replaceAll(/[’‘ʼ´`]/g, "'")
    .replaceAll(/[\u00a0\u2007\u2009\u202f]/g, ' ')
    .trim();

/** The sign of a number and what is left without sign, currency and unit. */
interface Bare {
  readonly sign: '' | '-';
  readonly digits: string;
  readonly isTrailing: boolean;
  readonly isInParentheses: boolean;
  /** The currencies and units that were beside it. */
  readonly units: readonly string[];
}

/** Takes a number apart. A sign counts once, so that `--5` keeps its second one. */
export const bareOf = (
  text: string,
  { bareNumber = true, trailingMinus, parentheses }: Pick<NumberFormats, 'bareNumber' | 'trailingMinus' | 'parentheses'>,
): Bare => {
  let rest = typed(text);
  let sign: string | undefined;
  const units: string[] = [];
  const found = { isTrailing: false, isInParentheses: false };
  for (let before = ''; before !== rest; ) {
    before = rest;
    if (!bareNumber && units.length < 2) {
      units.push(...unitsBeside(rest));
      rest = rest.replace(beside, '');
    }
    if (sign !== undefined) continue;
    if (parentheses && rest.startsWith('(') && rest.endsWith(')')) {
      found.isInParentheses = true;
      sign = '-';
      rest = rest.slice(1, -1).trim();
    } else if (trailingMinus && /\d *-$/.test(rest)) {
      found.isTrailing = true;
      sign = '-';
      rest = rest.slice(0, -1).trimEnd();
    } else if (/^[+-]/.test(rest)) {
      sign = rest[0]!;
      rest = rest.slice(1).trimStart();
    }
  }
  return { sign: sign === '-' ? '-' : '', digits: rest, units, ...found };
};

/** A parser of numbers. It takes whole groups of three digits only, so that 1.23 is never read as 123. */
export const numberParser = ({ decimalChar = '.', groupChar, ...edges }: NumberFormats) => {
  const group = groupChar === undefined ? undefined : groupChar.trim() === '' ? ' ' : typed(groupChar);
  const digits = group === undefined ? '\\d+' : `\\d{1,3}(?:${escaped(group)}\\d{3})+|\\d+`;
  const point = escaped(decimalChar);
  // A stroke in place of the decimals means that there are none: 1.234,-- or 50.-
  const pattern = new RegExp(`^(?=(?:${point})?\\d)(${digits}|)(?:${point}(\\d*|--?|[–—]))?$`);
  const form = groupChar === undefined ? `1234${decimalChar}56` : `1${groupChar}234${decimalChar}56`;
  return (text: string): string => {
    if (text.length > longestNumber) throw new Rejection(`has more than ${longestNumber} characters, so it is no number`, text);
    const bare = bareOf(text, edges);
    const [, whole, fraction = ''] = pattern.exec(bare.digits) ?? [];
    if (whole === undefined || (whole === '' && !/\d/.test(fraction)))
      throw new Rejection(`is no number such as ${form}: ${remedyOf(bare.digits)} in formats`, text);
    // With trailing signs, 12,- is twelve or minus twelve.
    if (fraction === '-' && edges.trailingMinus)
      throw new Rejection('can be a number without decimals or a negative one, because trailingMinus is true', text);
    const integer = (group === undefined ? whole : whole.replaceAll(group, '')).replace(/^0+(?=\d)/, '') || '0';
    return decimalText(bare.sign, integer, /\d/.test(fraction) ? fraction : '');
  };
};

const remedyOf = (rest: string): string => {
  if (rest.endsWith('-')) return 'state trailingMinus: true';
  return rest.startsWith('(') && rest.endsWith(')') ? 'state parentheses: true' : 'state decimalChar, groupChar or bareNumber';
};

/** Whether a text is a number in the form of typed values. */
export const isPlainNumber = (text: string): boolean => text.length <= longestNumber && /^-?\d+(?:\.\d+)?$/.test(text);

/** The exact decimal text of a number of a typed format. */
export const plainNumber = (value: number): string => {
  if (!Number.isFinite(value)) throw new Rejection('is not finite', String(value));
  return withoutExponent(String(value));
};

/** Rounds decimal text half away from zero, as PostgreSQL does. */
export const roundDecimal = (text: string, scale: number): string => {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (fraction.length <= scale) return text;
  const kept = BigInt(whole + fraction.slice(0, scale)) + (fraction[scale]! >= '5' ? 1n : 0n);
  const digits = String(kept).padStart(scale + 1, '0');
  return decimalText(sign, digits.slice(0, digits.length - scale), digits.slice(digits.length - scale));
};

/** Decimal text as an integer and its number of decimals. */
const parts = (value: string) => {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  return { value: BigInt(sign + whole + fraction), scale: fraction.length };
};

const decimalOf = (value: bigint, scale: number): string => {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return decimalText(value < 0n ? '-' : '', digits.slice(0, point), digits.slice(point));
};

/** The sum of decimal texts, exact. */
export const addDecimals = (texts: readonly string[]): string => {
  const all = texts.map(parts);
  const scale = Math.max(0, ...all.map((one) => one.scale));
  return decimalOf(
    all.reduce((sum, one) => sum + one.value * 10n ** BigInt(scale - one.scale), 0n),
    scale,
  );
};

/** A part in per cent of the whole, with two decimals. The whole is not 0. */
export const percentOfDecimal = (part: string, whole: string): string => {
  const [a, b] = [parts(part), parts(whole)];
  const places = 10;
  const exact = (a.value * 10n ** BigInt(b.scale + places + 2)) / (b.value * 10n ** BigInt(a.scale));
  return roundDecimal(decimalOf(exact, places), 2);
};

/** The product of decimal text and a factor, exact. */
export const multiplyDecimal = (text: string, factor: number): string => {
  const [a, b] = [parts(text), parts(plainNumber(factor))];
  const product = a.value * b.value;
  const digits = String(product < 0n ? -product : product).padStart(a.scale + b.scale + 1, '0');
  const point = digits.length - a.scale - b.scale;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return decimalText(product < 0n ? '-' : '', digits.slice(0, point), fraction);
};
