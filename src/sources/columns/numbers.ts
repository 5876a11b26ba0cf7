/** Reads numbers in the formats of exports as exact decimal text. */
import { Rejection } from '../rejections.ts';
import type { Formats } from '../source-file.ts';

type NumberFormats = Pick<Formats, 'decimalChar' | 'groupChar' | 'bareNumber' | 'trailingMinus' | 'parentheses'>;

const escaped = (character: string): string => character.replace(/[.*+?^${}()|[\]\\\-/]/, '\\$&');

/** A parser of numbers. It takes whole groups of three digits only, so that 1.23 is never read as 123. */
export const numberParser = ({ decimalChar = '.', groupChar, bareNumber = true, trailingMinus, parentheses }: NumberFormats) => {
  const digits = groupChar === undefined ? '\\d+' : `\\d{1,3}(?:${escaped(groupChar)}\\d{3})+|\\d+`;
  const pattern = new RegExp(`^(${digits})(?:${escaped(decimalChar)}(\\d+))?$`);
  const form = groupChar === undefined ? `1234${decimalChar}56` : `1${groupChar}234${decimalChar}56`;
  return (text: string): string => {
    let rest = bareNumber ? text : text.replace(/^(?:€|EUR|\$|USD|£|GBP|CHF)\s*|\s*(?:€|EUR|\$|USD|£|GBP|CHF|%)$/g, '');
    let sign = '';
    if (parentheses && rest.startsWith('(') && rest.endsWith(')')) {
      sign = '-';
      rest = rest.slice(1, -1);
    } else if (trailingMinus && rest.endsWith('-')) {
      sign = '-';
      rest = rest.slice(0, -1).trimEnd();
    } else if (rest.startsWith('-') || rest.startsWith('+')) {
      sign = rest.startsWith('-') ? '-' : '';
      rest = rest.slice(1);
    }
    const [, whole, fraction] = pattern.exec(rest) ?? [];
    if (whole === undefined) throw new Rejection(`is no number such as ${form}: ${remedyOf(rest)} in formats`, text);
    const integer = (groupChar === undefined ? whole : whole.replaceAll(groupChar, '')).replace(/^0+(?=\d)/, '');
    return normal(sign, integer, fraction ?? '');
  };
};

const remedyOf = (rest: string): string => {
  if (rest.endsWith('-')) return 'state trailingMinus: true';
  return rest.startsWith('(') && rest.endsWith(')') ? 'state parentheses: true' : 'state decimalChar, groupChar or bareNumber';
};

/** Zero has no sign. */
const normal = (sign: string, integer: string, fraction: string): string => {
  const text = fraction === '' ? integer : `${integer}.${fraction}`;
  return sign === '-' && /[1-9]/.test(text) ? `-${text}` : text;
};

/** The exact decimal text of a number of a typed format. */
export const plainNumber = (value: number): string => {
  if (!Number.isFinite(value)) throw new Rejection('is not finite', String(value));
  return withoutExponent(String(value));
};

/** Decimal text of a number that may have an exponent, with the same digits. */
export const withoutExponent = (text: string): string => {
  const [mantissa = '', exponent] = text.toLowerCase().split('e');
  if (exponent === undefined) return text.startsWith('-') && !/[1-9]/.test(text) ? text.slice(1) : text;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const digits = `${'0'.repeat(Math.max(0, 1 - point))}${whole}${fraction}`.padEnd(point, '0');
  const at = Math.max(1, point);
  return normal(sign, digits.slice(0, at), digits.slice(at));
};

/** Rounds decimal text half away from zero, as PostgreSQL does. */
export const roundDecimal = (text: string, scale: number): string => {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (fraction.length <= scale) return text;
  const kept = BigInt(whole + fraction.slice(0, scale)) + (fraction[scale]! >= '5' ? 1n : 0n);
  const digits = String(kept).padStart(scale + 1, '0');
  return normal(sign, digits.slice(0, digits.length - scale), digits.slice(digits.length - scale));
};

/** The product of decimal text and a factor, exact. */
export const multiplyDecimal = (text: string, factor: number): string => {
  const parts = (value: string) => {
    const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
    return { value: BigInt(sign + whole + fraction), scale: fraction.length };
  };
  const [a, b] = [parts(text), parts(plainNumber(factor))];
  const product = a.value * b.value;
  const digits = String(product < 0n ? -product : product).padStart(a.scale + b.scale + 1, '0');
  const point = digits.length - a.scale - b.scale;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return normal(product < 0n ? '-' : '', digits.slice(0, point), fraction);
};
