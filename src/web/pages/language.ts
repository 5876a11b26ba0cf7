/** The language of pages that have two: the last choice of the browser, else its own language. Scripts and the portal's server have this rule. */

export type LanguageCode = 'en' | 'de';

export const locales: Readonly<Record<LanguageCode, string>> = { en: 'en-GB', de: 'de-DE' };

/** The cookie with the last choice. It holds no credential, and scripts read it. */
export const languageCookie = 'estate-language';
/** How long a choice is kept. */
export const languageSeconds = 365 * 24 * 3_600;

export const isLanguage = (text: unknown): text is LanguageCode => text === 'en' || text === 'de';

/** `cookies` are those of a header `Cookie`. `preferred` begins with the first language of the browser. */
export const languageOf = (cookies: string, preferred: string): LanguageCode => {
  const chosen = new RegExp(`(?:^|; ?)${languageCookie}=(\\w+)`).exec(cookies)?.[1];
  if (isLanguage(chosen)) return chosen;
  return /^\s*de\b/i.test(preferred) ? 'de' : 'en';
};
