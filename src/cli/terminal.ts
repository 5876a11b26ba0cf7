/** Text on a terminal. Names, files and answers of servers may hold control characters, which must not reach it. */
import { printableLines } from '../printable.ts';

/** The styles that `paint` writes: bold, red, green, yellow, and their ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles begin with a control character
const ownStyle = /(\u001b\[(?:1|22|3[123]|39)m)/;

/** Printable text, in which the styles of `paint` stay. */
export const printableStyled = (text: string): string =>
  text
    .split(ownStyle)
    .map((part, at) => (at % 2 === 1 ? part : printableLines(part)))
    .join('');

/** Replaces the control characters that JSON leaves as they are. The document has the same meaning. */
export const printableJson = (json: string): string =>
  json.replaceAll(/[\u007f-\u009f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Writes text for people. */
export const writeText = (stream: NodeJS.WriteStream, text: string): void => void stream.write(printableStyled(text));
