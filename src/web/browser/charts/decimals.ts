/** Exact arithmetic on decimals as text. */

/** A decimal as an integer of its smallest unit. */
const unitsOf = (text: string, scale: number): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
};

export const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);
const scaleOf = (text: string): number => text.split('.')[1]?.length ?? 0;

/** The exact sum of decimals, with the most digits of any of them. */
export const sumOf = (texts: readonly string[]): string => {
  const scale = Math.max(0, ...texts.map(scaleOf));
  const sum = texts.reduce((total, text) => total + unitsOf(text, scale), 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return sum < 0n ? `-${text}` : text;
};

/** A decimal times a power of ten, with all of its digits. */
export const shifted = (text: string, places: number): string => {
  const sign = text.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = text.slice(sign.length).split('.');
  const digits = fraction.padEnd(places, '0');
  const left = `${whole}${digits.slice(0, places)}`.replace(/^0+(?=\d)/, '');
  const right = digits.slice(places);
  return `${sign}${left}${right === '' ? '' : `.${right}`}`;
};
