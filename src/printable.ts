/** Text without the characters that a terminal obeys. Names, files, requests and answers of servers may hold them. */

/** Control and format characters, line separators and lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Replaces these characters by escapes such as `\u{1b}`, line breaks too. */
export const printable = (text: string): string =>
  text.replaceAll(unprintable, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** Text of several lines without the characters that a terminal obeys. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
