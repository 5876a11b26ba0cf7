/**
 * Counts the property names of a JSON text before the parser sees it (contract: document limits). The parser creates names outside of the
 * young generation of the heap, where garbage costs every request of the process. No valid request has more names than the schema and its
 * own variables.
 */
import { exceeds, limits } from './limits.ts';

/** A name takes at least five characters with its quotes, its colon and a value, so a shorter text is within the limits. */
const shortText = 5 * limits.names;

/** The position of the quote that ends a string; negative if there is none. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (first > start && text[first - 1] === '\\') first--;
    if ((end - first) % 2 === 0) return end;
  }
  return -1;
};

const isSpace = (letter: string | undefined): boolean => letter === ' ' || letter === '\n' || letter === '\r' || letter === '\t';

const isBeforeColon = (text: string, end: number): boolean => {
  let next = end + 1;
  while (isSpace(text[next])) next++;
  return text[next] === ':';
};

/** Throws `limitExceeded` for a text with too many different names, or with names that are too long together. */
export const checkNames = (text: string): void => {
  if (text.length <= shortText) return;
  const names = new Set<string>();
  let total = 0;
  for (let start = text.indexOf('"') + 1; start > 0; ) {
    const end = endOfString(text, start);
    // The parser refuses such a text.
    if (end < 0) return;
    if (isBeforeColon(text, end)) {
      if (end - start > limits.letters) throw exceeds('letters', end - start);
      const name = text.slice(start, end);
      if (!names.has(name)) {
        total += name.length;
        names.add(name);
        if (names.size > limits.names) throw exceeds('names', names.size);
        if (total > limits.letters) throw exceeds('letters', total);
      }
    }
    start = text.indexOf('"', end + 1) + 1;
  }
};
