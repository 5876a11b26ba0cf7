/** How values are shown to people, in English or in German. */
import { type LanguageCode, languageCookie, languageOf, languageSeconds, locales } from '../pages/language.ts';
import { Figure } from './exact.ts';
import { type Cell, textOf } from './list.ts';
import { servicePath } from './service.ts';

export { type LanguageCode, locales };

export const storedLanguage = (): LanguageCode => languageOf(document.cookie, navigator.language);

export const storeLanguage = (language: LanguageCode): void => {
  const isSecure = location.protocol === 'https:';
  // biome-ignore lint/suspicious/noDocumentCookie: Safari has no other interface without a promise.
  document.cookie = `${languageCookie}=${language}; Path=${servicePath('/')}; Max-Age=${languageSeconds}; SameSite=Lax${isSecure ? '; Secure' : ''}`;
};

/** Numbers that name something. They have no thousands separator and no sum. */
export const isName = (column: string): boolean => /(?:Id|Number|Year|Code|Period|level\d+|hierarchy\d+)$/i.test(column);

const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const time = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** A number with all of its digits. `Intl` formats the text, because a double would lose digits. */
export const numberText = (text: string, locale: string, useGrouping = true): string => {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const digits = text.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping });
  return format.format(text as never);
};

/** A number rounded to digits after the decimal point. `Intl` reads the text, because a double would lose digits. */
export const roundedText = (text: string, locale: string, digits: number): string =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(text as never);

/** A value as people read it. */
export const shownText = (cell: Cell, column: string, language: LanguageCode): string => {
  const locale = locales[language];
  if (cell instanceof Figure) return numberText(cell.text, locale, !isName(column));
  if (typeof cell === 'boolean') return language === 'de' ? (cell ? 'ja' : 'nein') : cell ? 'yes' : 'no';
  if (typeof cell !== 'string') return textOf(cell);
  if (day.test(cell)) return new Date(`${cell}T00:00:00Z`).toLocaleDateString(locale, { timeZone: 'UTC', dateStyle: 'medium' });
  if (time.test(cell) && !Number.isNaN(Date.parse(cell)))
    return new Date(cell).toLocaleString(locale, { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' });
  return cell;
};
