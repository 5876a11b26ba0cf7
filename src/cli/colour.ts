/** Colours on a terminal only. Node decides for terminals without colours and for NO_COLOR. */
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

export const paint = (style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  stream.hasColors?.() ? styleText(style, text, { validateStream: false }) : text;
