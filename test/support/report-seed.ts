/** Prints the command that repeats a failed exhaustive test. */
import { relative } from 'node:path';
import { beforeEach } from 'vitest';
import { onServer } from './database.ts';

beforeEach(({ task, onTestFailed }) => {
  const { SEED, ROUNDS } = process.env;
  const server = onServer ? 'DATABASE_URL=… ' : '';
  onTestFailed(() => {
    console.error(`Repeat it with: ${server}SEED=${SEED} ROUNDS=${ROUNDS} npx vitest run ${relative('.', task.file.filepath)}`);
  });
});
