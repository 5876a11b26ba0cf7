/** Colours on a terminal and nowhere else; terminals without any, and NO_COLOR, are Node's to know. */
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

export const paint = (style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  stream.hasColors?.() ? styleText(style, text, { validateStream: false }) : text;
