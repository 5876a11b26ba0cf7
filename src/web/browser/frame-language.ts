/** The texts of the frame in the language of the page. An element with both texts has them in `data-en` and `data-de`. */
import { apiKey, type KeyTexts, showKeyMessage } from './key.ts';
import type { LanguageCode } from './values.ts';

export const showFrameIn = (language: LanguageCode, texts: KeyTexts): void => {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll<HTMLElement>('[data-de]')) element.textContent = element.dataset[language] ?? '';
  if (document.getElementById('key-message')) showKeyMessage(apiKey ? texts.used : texts.missing, !apiKey);
};
