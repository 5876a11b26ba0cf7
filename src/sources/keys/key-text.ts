/** The text of a source key, and the integers that keep their value. */

/** Keys that the service assigns begin here, so that they never meet integers of an export. */
export const firstAssigned = { integer: 1_000_000_000, bigint: 4_000_000_000_000_000 } as const;
export type KeyType = keyof typeof firstAssigned;

const separator = '\u001f';

/** One text for the values of a key. Values of several columns keep their limits. Null if a value is missing. */
export const keyText = (values: readonly (string | null)[]): string | null =>
  values.includes(null) ? null : values.length === 1 ? values[0]! : values.join(separator);

/** The text of a key for people. */
export const keyInWords = (text: string): string => text.replaceAll(separator, ', ');

/** The integer that a text is; undefined if it is none below the assigned ones. `0007` is 7. */
export const integerOf = (text: string, type: KeyType): number | undefined => {
  if (!/^\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return value > 0 && value < firstAssigned[type] ? value : undefined;
};
