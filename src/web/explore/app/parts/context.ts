/** What every part of the page needs: the description, the language, and the way to another view. */
import { createContext, useContext } from 'react';
import { type Language, storedLanguage } from '../../../browser/values.ts';
import type { Description } from '../../described.ts';
import type { View } from '../view/view.ts';
import { type LanguageCode, type Texts, textsOf } from './texts.ts';

export interface Page {
  readonly description: Description;
  readonly language: LanguageCode;
  readonly t: Texts;
  /** Shows another view; undefined is the start. */
  readonly go: (view: View | undefined) => void;
}

export const PageContext = createContext<Page | undefined>(undefined);

export const usePage = (): Page => {
  const page = useContext(PageContext);
  if (!page) throw new Error('There is no page around this part');
  return page;
};

/** The language of the choice in this browser, which GraphiQL has too, or of the browser. */
export const firstLanguage = (): LanguageCode => (storedLanguage() === 'Deutsch' ? 'de' : 'en');

export const languageNames: Readonly<Record<LanguageCode, Language>> = { en: 'English', de: 'Deutsch' };
export const textsFor = (language: LanguageCode): Texts => textsOf[language];
