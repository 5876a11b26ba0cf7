/** Prompts on a terminal. They use standard error, so that standard output has results only. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { OperatorError } from '../errors.ts';
import { writeText } from './terminal.ts';

export const isOnTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

const silent = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Prompts for a line. `isHidden` hides the input. Throws an `OperatorError` on Ctrl-C and Ctrl-D. */
export const askOperator = async (question: string, isHidden = false): Promise<string> => {
  writeText(process.stderr, question);
  const lines = createInterface({ input: process.stdin, output: isHidden ? silent() : process.stderr, terminal: true });
  const givenUp = once(lines, 'close').then((): never => {
    throw new OperatorError('cancelled');
  });
  lines.once('SIGINT', () => lines.close());
  try {
    return await Promise.race([lines.question(''), givenUp]);
  } finally {
    givenUp.catch(() => {});
    lines.close();
    if (isHidden) process.stderr.write('\n');
  }
};

/** The first line of piped input. */
export const readLine = async (): Promise<string> => {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
};
