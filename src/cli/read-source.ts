/** Reads the source file that a command names, or the one that is kept with a customer. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Database } from '../database/connections/connection.ts';
import type { Customer } from '../database/control/customers.ts';
import { datasetsOf, runControlQuery } from '../database/control/datasets.ts';
import { OperatorError } from '../errors.ts';
import { currentSources, fileNameOf, findKeptSource, type KeptSource, versionInWords } from '../sources/kept/kept-sources.ts';
import { parseSource, type Source } from '../sources/source-file.ts';
import { shown } from '../sync/files/rejections.ts';
import { tablesNamedIn } from '../sync/files/source-files.ts';

/** Reads a source file. Throws an `OperatorError` that names its errors. */
export const readSourceText = (path: string): { readonly source: Source; readonly text: string } => {
  try {
    const text = readFileSync(path, 'utf8');
    return { source: parseSource(text, basename(path)), text };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The source file '${shown(path)}' cannot be read.`);
  }
};

export const readSource = (path: string): Source => readSourceText(path).source;

/** A source with its version, if it is kept with the customer. */
export interface UsedSource {
  readonly source: Source;
  readonly version?: number;
  /** What the command prints about it. */
  readonly words: string;
}

const readKept = (kept: KeptSource): UsedSource => ({
  source: parseSource(kept.text, fileNameOf(kept)),
  version: kept.version,
  words: versionInWords(kept),
});

/** The tables of files in the folder that the customer has. */
const rawTablesIn = async ({ pool }: Database, { schema_name }: Customer, folder: string): Promise<readonly string[]> => {
  const named = tablesNamedIn(folder);
  const known = await runControlQuery(pool, datasetsOf(schema_name, 'raw').select('name'));
  return named.filter((table) => known.some(({ name }) => name === table));
};

/**
 * The source of a load of one folder (contract: kept sources). Undefined: its files are named after their raw tables. Throws an
 * `OperatorError` if both are possible.
 */
export const chooseSource = async (
  database: Database,
  customer: Customer,
  folder: string,
  { source: file, kept: name }: { readonly source?: string; readonly kept?: string },
): Promise<UsedSource | undefined> => {
  if (file !== undefined) {
    const source = readSource(file);
    return { source, words: `${source.name}, ${shown(basename(file))}` };
  }
  if (name !== undefined) return readKept(await findKeptSource(database.control, customer, { name }));
  const current = await currentSources(database.control, customer);
  if (current.length === 0) return undefined;
  const [table] = await rawTablesIn(database, customer, folder);
  if (table === undefined) return readKept(await findKeptSource(database.control, customer));
  throw new OperatorError(
    `The folder has a file of the raw table ${table}, and ${customer.slug} has a kept source. Say which reads it: --full or --upsert for raw tables, --kept ${current[0]!.name} for the source.`,
  );
};
