/** Fields of CSV (RFC 4180) as text, also for pages in browsers. `wire/row-format.ts` has the same rule for bytes. */

/** A text in quotes. */
export const quotedField = (text: string): string => (text.includes('"') ? `"${text.replaceAll('"', '""')}"` : `"${text}"`);

/** A text as a field, in quotes only if it needs them. An empty text has quotes, because null has none. */
export const csvField = (text: string, separator = ','): string =>
  text === '' || text.includes(separator) || /["\r\n]/.test(text) ? quotedField(text) : text;

/** A text that spreadsheets do not run as a formula. It can come from anybody. */
export const withoutFormula = (text: string): string => text.replace(/^(?=[=+\-@\t\r])/, "'");
