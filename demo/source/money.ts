/**
 * Money in whole cents, and other decimals as whole numbers of their last digit: sums are exact, text is made at the very end.
 *
 * Rounding is half up on amounts that are never negative, which is what `round(numeric, 2)` does in the integrity facts.
 */
export type Cents = number;

/** `decimal(1234, 2)` is '12.34'. */
export const decimal = (scaled: number, digits: number): string => {
  const text = String(Math.abs(scaled)).padStart(digits + 1, '0');
  return `${scaled < 0 ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
};

/** Most of what is written is money, so it has a short way. */
export const euro = (cents: Cents): string => {
  if (cents < 0) return decimal(cents, 2);
  const rest = cents % 100;
  return `${(cents - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`;
};

export const euroOrNull = (cents: Cents | null): string | null => (cents === null ? null : euro(cents));

/** A whole percentage as `numeric(5,2)` text. */
export const percent = (whole: number): string => `${whole}.00`;

/** `amount * part / whole`, rounded half up. */
export const share = (amount: Cents, part: number, whole: number): Cents => Math.floor((2 * amount * part + whole) / (2 * whole));

export const vatOn = (net: Cents, rate: number): Cents => share(net, rate, 100);

/** Splits an amount into `count` parts that differ by a cent at most and sum to it. */
export const equalParts = (amount: Cents, count: number): Cents[] =>
  Array.from({ length: count }, (_, i) => Math.floor((amount * (i + 1)) / count) - Math.floor((amount * i) / count));

export const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, amount) => total + amount, 0);
