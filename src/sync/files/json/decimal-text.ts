/** Decimal numbers as text, with exact digits. */

/** Joins the digits before and after the point. Zero has no sign. */
export const decimalText = (sign: string, integer: string, fraction: string): string => {
  const text = fraction === '' ? integer : `${integer}.${fraction}`;
  return sign === '-' && /[1-9]/.test(text) ? `-${text}` : text;
};

/** The digits of a larger exponent would fill the memory. No column takes such a number, so it is refused as it is written. */
const largestExponent = 1_000;

/** Decimal text of a number that may have an exponent, with the same digits. */
export const withoutExponent = (text: string): string => {
  const [mantissa = '', exponent] = text.toLowerCase().split('e');
  if (exponent === undefined) return text.startsWith('-') && !/[1-9]/.test(text) ? text.slice(1) : text;
  if (Math.abs(Number(exponent)) > largestExponent) return text;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const digits = `${'0'.repeat(Math.max(0, 1 - point))}${whole}${fraction}`.padEnd(point, '0');
  const at = Math.max(1, point);
  return decimalText(sign, digits.slice(0, at), digits.slice(at));
};
