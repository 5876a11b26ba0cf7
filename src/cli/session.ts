/** The environment of a command: settings, an open and migrated database, and output. */
import { catalogue } from '../catalogue/index.ts';
import { type Config, readConfig } from '../config.ts';
import type { Database } from '../database/connections/connection.ts';
import { keySecret, openDatabase } from '../service.ts';
import { upgradeDatabase } from '../sync/upgrade/upgrade.ts';
import { paint } from './colour.ts';
import { printableJson, writeText } from './terminal.ts';

export interface CommandSession {
  readonly config: Config;
  readonly database: Database;
  readonly secret: string;
}

/** Runs a command with an open database and closes it afterwards. */
export const withSession = async <T>(work: (session: CommandSession) => Promise<T>): Promise<T> => {
  const config = readConfig();
  const database = await openDatabase(config);
  try {
    await upgradeDatabase(database, catalogue);
    return await work({ config, database, secret: keySecret(config) });
  } finally {
    await database.close();
  }
};

/** Prints a result as JSON or as text. */
export const report = (result: unknown, options: { readonly json?: boolean }, words: () => string): void => {
  if (options.json) process.stdout.write(`${printableJson(JSON.stringify(result))}\n`);
  else writeText(process.stdout, `${words()}\n`);
};

/** Formats rows as text columns with headings. */
export const columns = (headings: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = headings.map((heading, index) => Math.max(heading.length, ...rows.map((row) => (row[index] ?? '').length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [paint('bold', line(headings)), ...rows.map(line)].join('\n');
};
