/** The command line over a database of its own: a new embedded database in a folder, or a copy of the template on the server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { onServer, openTestDatabase } from '../support/database.ts';
import { type ProcessResult, runEstate, runEstateInThread } from '../support/program.ts';
import { testSecret } from '../support/settings.ts';

export interface CommandLine {
  /** The folder of its data. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Runs a command in a thread. */
  run(...line: readonly string[]): Promise<ProcessResult>;
  /** Runs a command in a process. */
  runProcess(line: readonly string[], more?: Readonly<Record<string, string>>): Promise<ProcessResult>;
  /** Runs a command that must succeed, and parses its one JSON document. */
  // biome-ignore lint/suspicious/noExplicitAny: documents have any shape
  json(...line: readonly string[]): Promise<any>;
  close(): Promise<void>;
}

export const openCommandLine = async (): Promise<CommandLine> => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-cli-'));
  const database = onServer ? await openTestDatabase() : undefined;
  const address = database && { DATABASE_URL: database.address as string, KEY_SECRET: testSecret };
  const environment = { DATA_DIR: folder, LOG_LEVEL: 'silent', PORT: '0', ...address };
  const run = (...line: readonly string[]) => runEstateInThread(line, environment);
  return {
    folder,
    environment,
    run,
    runProcess: (line, more = {}) => runEstate(line, { ...environment, ...more }),
    json: async (...line) => {
      const { code, out, err } = await run(...line, '--json');
      expect({ code, err, lines: out.trimEnd().split('\n').length }).toEqual({ code: 0, err: '', lines: 1 });
      return JSON.parse(out);
    },
    close: async () => {
      await database?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
