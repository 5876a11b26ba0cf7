/** Globs of file names: `*` is any text, `?` is one character. Names are compared in composed characters (NFC), because macOS decomposes them. The time is at most the product of both lengths, for any number of stars. */
import { OperatorError } from '../../errors.ts';

const longest = 500;

/** Whether a name fits the pattern. After a mismatch, the last star takes one more character. Earlier stars need no second attempt. */
const fits = (pattern: readonly string[], name: readonly string[]): boolean => {
  let [at, next, star, taken] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[next] === '*') {
      star = next++;
      taken = at;
    } else if (pattern[next] === '?' || pattern[next] === name[at]) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++taken;
    } else return false;
  }
  while (pattern[next] === '*') next++;
  return next === pattern.length;
};

/** The test of a glob. Throws an `OperatorError` if the glob is too long. */
export const globOf = (pattern: string): ((name: string) => boolean) => {
  if (pattern.length > longest) throw new OperatorError(`path: a glob has at most ${longest} characters.`);
  const characters = [...pattern.normalize('NFC')];
  return (name) => fits(characters, [...name.normalize('NFC')]);
};
