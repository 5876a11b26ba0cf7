/** Reads the source file that a command names. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { shown } from '../../sources/rejections.ts';
import { parseSource, type Source } from '../../sources/source-file.ts';

/** Reads a source file. Throws an `OperatorError` that names its errors. */
export const readSource = (path: string): Source => {
  try {
    return parseSource(readFileSync(path, 'utf8'), basename(path));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The source file '${shown(path)}' cannot be read.`);
  }
};
