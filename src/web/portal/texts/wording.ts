/** What a page says in its language: its texts, numbers and times. */
import type { Text } from '../../../catalogue/texts/presentation.ts';
import { rawColumnLabel, rawTableLabel } from '../../../catalogue/texts/raw-labels.ts';
import { numberText } from '../../browser/values.ts';
import { time } from '../../pages/elements.ts';
import { formatBytes, formatCount, formatTime } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { type LanguageCode, locales } from '../../pages/language.ts';
import { type DataTexts, dataTextsOf } from './data.ts';
import { type FrameTexts, frameTextsOf } from './frame.ts';
import { type ImportTexts, importTextsOf } from './import.ts';
import { type KeyTexts, keyTextsOf } from './keys.ts';

export interface Wording {
  readonly language: LanguageCode;
  readonly frame: FrameTexts;
  readonly data: DataTexts;
  readonly imports: ImportTexts;
  readonly keys: KeyTexts;
  readonly count: (value: number) => string;
  /** A decimal number with all of its digits. */
  readonly decimal: (text: string) => string;
  readonly bytes: (value: number) => string;
  /** A point in time relative to now. */
  readonly time: (at: Date | null | undefined, never?: string) => Html;
  /** A point in time with its day. */
  readonly moment: (at: Date) => string;
  /** A table or a column by its name, with its label for people. */
  readonly named: (name: string, label: Text | undefined) => Html;
  readonly rawTable: (table: string) => Html;
  /** `name` is that of the table and the column: `person.last_name`. */
  readonly rawColumn: (name: string) => Html;
  /** A text that exists in English only, such as a message of the loader with its place. */
  readonly inEnglish: (text: Html | string) => Html | string;
}

const wordingIn = (language: LanguageCode): Wording => {
  const named = (name: string, label: Text | undefined): Html =>
    html`<code>${name}</code>${label && html` <span class="hint">${label[language]}</span>`}`;
  return {
    named,
    rawTable: (table) => named(table, rawTableLabel(table)),
    rawColumn: (name) => {
      const [table = '', column = ''] = name.split('.');
      return named(name, rawColumnLabel(table, column));
    },
    language,
    frame: frameTextsOf[language],
    data: dataTextsOf[language],
    imports: importTextsOf[language],
    keys: keyTextsOf[language],
    decimal: (text) => numberText(text, locales[language]),
    count: (value) => formatCount(value, language),
    bytes: (value) => formatBytes(value, language),
    time: (at, never) => time(at, never, language),
    moment: (at) => formatTime(at, language),
    inEnglish: (text) => (language === 'en' ? text : html`<span lang="en">${text}</span>`),
  };
};

export const wordings: Readonly<Record<LanguageCode, Wording>> = { en: wordingIn('en'), de: wordingIn('de') };
