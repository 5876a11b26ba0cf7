/** What every part of the page needs: the description, the language, and the way to another view. */
import { createContext, useContext } from 'react';
import type { Description } from '../../described.ts';
import type { Go } from './history.ts';
import type { LanguageCode, Texts } from './texts.ts';

export interface Page {
  readonly description: Description;
  readonly language: LanguageCode;
  readonly t: Texts;
  /** Shows another view; undefined is the start. */
  readonly go: Go;
}

export const PageContext = createContext<Page | undefined>(undefined);

export const usePage = (): Page => {
  const page = useContext(PageContext);
  if (!page) throw new Error('There is no page around this part');
  return page;
};
