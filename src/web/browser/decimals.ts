/** Exact arithmetic on decimals as text. */

/** A decimal as an integer of its smallest unit. */
export const unitsOf = (text: string, scale: number): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
};

export const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);
export const scaleOf = (text: string): number => text.split('.')[1]?.length ?? 0;

/** The exact sum of decimals, with the most digits of any of them. */
export const sumOf = (texts: readonly string[]): string => {
  const scale = Math.max(0, ...texts.map(scaleOf));
  const sum = texts.reduce((total, text) => total + unitsOf(text, scale), 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return sum < 0n ? `-${text}` : text;
};
