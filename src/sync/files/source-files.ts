/** Finds the files of a load: one file for each raw table, with its name (`person.csv`, `person.ndjson.gz`), single or in a folder. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OperatorError } from '../../errors.ts';

export type Format = 'csv' | 'ndjson';
/** `full`: the file is the whole table. `upsert`: it has rows to insert or update. */
export type Mode = 'full' | 'upsert';
export type Compression = 'gzip' | 'zstd';

export interface SourceFile {
  readonly path: string;
  /** The name in messages. */
  readonly name: string;
  readonly table: string;
  readonly format: Format;
  readonly compression: Compression | undefined;
  /** Whether the file has rows to load or keys to delete. */
  readonly purpose: 'rows' | 'deletes';
}

const pattern = /^(.+)\.(csv|ndjson|jsonl)(\.gz|\.zst)?$/;

const parse = (path: string, purpose: SourceFile['purpose']): SourceFile | undefined => {
  const [, table, extension, packed] = pattern.exec(basename(path)) ?? [];
  if (table === undefined) return undefined;
  const compression = packed === undefined ? undefined : packed === '.gz' ? 'gzip' : 'zstd';
  return { path, name: basename(path), table, format: extension === 'csv' ? 'csv' : 'ndjson', compression, purpose };
};

const expand = (path: string, purpose: SourceFile['purpose']): SourceFile[] => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new OperatorError(`There is no file or folder '${path}'.`);
  if (stat.isDirectory()) {
    const files = readdirSync(path)
      .sort()
      .flatMap((name) => parse(join(path, name), purpose) ?? []);
    if (files.length === 0) throw new OperatorError(`The folder '${path}' holds no .csv or .ndjson files.`);
    return files;
  }
  const file = parse(path, purpose);
  if (!file) throw new OperatorError(`'${path}' is neither .csv nor .ndjson (plain, .gz or .zst), named after its raw table.`);
  return [file];
};

/** Finds the files of the given paths. Throws an `OperatorError` unless there is exactly one file for each table. */
export const findSourceFiles = (paths: readonly string[], purpose: SourceFile['purpose']): SourceFile[] => {
  const files = paths.flatMap((path) => expand(path, purpose));
  for (const file of files) {
    const other = files.find(({ table }) => table === file.table);
    if (other !== file) throw new OperatorError(`Two files are of the table ${file.table}: ${other?.path} and ${file.path}.`);
  }
  return files;
};
