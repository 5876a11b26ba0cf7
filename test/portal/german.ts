/** An operator who reads each page of the way from files to rows in German, too, and finds no English text of the portal there. */
import { expect } from 'vitest';
import { dataTextsOf } from '../../src/web/portal/texts/data.ts';
import { frameTextsOf } from '../../src/web/portal/texts/frame.ts';
import { importTextsOf } from '../../src/web/portal/texts/import.ts';
import { keyTextsOf } from '../../src/web/portal/texts/keys.ts';
import { Operator, type PageAnswer } from './operator.ts';

const value = '\u2042';

/** The words of a text; those of a function around its values. */
const wordsOf = (text: unknown): readonly string[] => {
  if (typeof text === 'string') return [text];
  if (typeof text !== 'function') return [];
  // A count of one has words of its own.
  return [value, '1'].flatMap((given) => String(text(given, given, given, given)).split(value));
};

/** The texts of an object with their paths. */
const textsIn = (texts: unknown, path: string): ReadonlyMap<string, unknown> =>
  new Map(
    typeof texts === 'object' && texts !== null
      ? Object.entries(texts).flatMap(([name, one]) => [...textsIn(one, `${path}.${name}`)])
      : [[path, texts]],
  );

/** English words that no German text has. */
const englishOnly = (english: object, german: object): readonly string[] => {
  const allowed = new Set([...textsIn(german, '').values()].flatMap(wordsOf).map((words) => words.trim()));
  return [...textsIn(english, '').values()]
    .flatMap(wordsOf)
    .map((words) => words.trim())
    .filter((words) => /[a-z]{2}/i.test(words) && !allowed.has(words));
};

const english = [...new Set([frameTextsOf, dataTextsOf, importTextsOf, keyTextsOf].flatMap(({ en, de }) => englishOnly(en, de)))];

/** What a reader of the page hears in German: texts and labels outside of elements that are in English or are code. */
export const germanWords = (page: string): readonly string[] => {
  const texts: string[] = [];
  const open: { readonly name: string; readonly isLeft: boolean }[] = [];
  const voids = new Set(['input', 'meta', 'link', 'br', 'hr', 'path']);
  for (const [, comment, end, name = '', attributes = '', text] of page.matchAll(
    /(<!.*?>)|<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:=(?:"[^"]*"|[^\s>"]+))?)*)\s*\/?>|([^<]+)/gi,
  )) {
    if (comment) continue;
    const isLeft = open.at(-1)?.isLeft ?? false;
    if (text !== undefined) {
      if (!isLeft && text.trim() !== '') texts.push(text);
    } else if (end) open.pop();
    else {
      const leaves = isLeft || / lang="?en"?(?:\s|$)/.test(attributes) || name === 'code';
      if (!leaves)
        texts.push(...[...attributes.matchAll(/ (?:title|aria-label|data-label|placeholder)="([^"]*)"/g)].map(([, label = '']) => label));
      if (!voids.has(name.toLowerCase())) open.push({ name, isLeft: leaves });
    }
  }
  return texts.map((text) => text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim());
};

/** The English texts on a German page. One word must be a whole text, because German sentences have such words, too. */
export const englishOn = (page: string): readonly string[] => {
  const words = germanWords(page);
  return english.filter((text) => (/\s\S*[a-z]{2}/.test(text) ? words.some((one) => one.includes(text)) : words.includes(text)));
};

/** From files to rows, and the key that delivers the next files. */
const isOfImport = (path: string): boolean =>
  /^\/portal\/(?:customers\/[^/]+\/data(?:\/(?:uploads|drafts)\/[^/]+|\/sources)?|keys\/(?:new(?:\?.*)?|[^/]+\/rotate))$/.test(path);

export class BilingualOperator extends Operator {
  override async get(path: string, init: RequestInit = {}): Promise<PageAnswer> {
    const answer = await super.get(path, init);
    if (init.method === undefined && isOfImport(path) && answer.location === null) {
      const { text, location } = await super.get(path, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), 'Accept-Language': 'de' },
      });
      if (location === null) expect([path, /<html lang="(\w+)"/.exec(text)?.[1], englishOn(text)]).toEqual([path, 'de', []]);
    }
    return answer;
  }
}
