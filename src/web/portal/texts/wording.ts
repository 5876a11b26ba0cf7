/** What a page says in its language: its texts, numbers and times. */
import { time } from '../../pages/elements.ts';
import { formatBytes, formatCount, formatTime } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { LanguageCode } from '../../pages/language.ts';
import { type FrameTexts, frameTextsOf } from './frame.ts';

export interface Wording {
  readonly language: LanguageCode;
  readonly frame: FrameTexts;
  readonly count: (value: number) => string;
  readonly bytes: (value: number) => string;
  /** A point in time relative to now. */
  readonly time: (at: Date | null | undefined, never?: string) => Html;
  /** A point in time with its day. */
  readonly moment: (at: Date) => string;
  /** A text that exists in English only, such as a message of the loader with its place. */
  readonly inEnglish: (text: Html | string) => Html | string;
}

const wordingIn = (language: LanguageCode): Wording => ({
  language,
  frame: frameTextsOf[language],
  count: (value) => formatCount(value, language),
  bytes: (value) => formatBytes(value, language),
  time: (at, never) => time(at, never, language),
  moment: (at) => formatTime(at, language),
  inEnglish: (text) => (language === 'en' ? text : html`<span lang="en">${text}</span>`),
});

export const wordings: Readonly<Record<LanguageCode, Wording>> = { en: wordingIn('en'), de: wordingIn('de') };
