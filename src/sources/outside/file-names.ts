/** Names of files that came over HTTP: data, and never paths. */
import { basename } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { printable } from '../../printable.ts';

/** In bytes. File systems take 255. */
export const longestName = 200;

/** The name of a file, without folders. Throws an `OperatorError` unless it can name a file in a folder of its own. */
export const fileNameIn = (sent: string): string => {
  const name = basename(sent.replaceAll('\\', '/'));
  if (name === '' || name.startsWith('.') || name !== printable(name) || Buffer.byteLength(name) > longestName)
    throw new OperatorError(`A file needs a name of printable characters, with at most ${longestName} bytes.`);
  return name;
};
