/** Finds the files of a load: one file for each raw table, with its name (`person.csv`, `person.ndjson.gz`), single or in a folder. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { printable } from '../../printable.ts';
import { formatOfName, packedAs } from './formats.ts';
import type { FilePath } from './open-file.ts';

export type DeliveryFormat = 'csv' | 'ndjson';
/** `full`: the file is the whole table. `upsert`: it has rows to insert or update. */
export type Mode = 'full' | 'upsert';

export interface SourceFile {
  readonly path: string;
  /** The name in messages. */
  readonly name: string;
  readonly table: string;
  readonly format: DeliveryFormat;
  readonly compression: FilePath['compression'];
  /** Whether the file has rows to load or keys to delete. */
  readonly purpose: 'rows' | 'deletes';
}

const pattern = /^(.+)\.(csv|ndjson|jsonl)(\.gz|\.zst)?$/;

const parse = (path: string, purpose: SourceFile['purpose']): SourceFile | undefined => {
  const name = basename(path);
  const [, table] = pattern.exec(name) ?? [];
  if (table === undefined) return undefined;
  return { path, name, table, format: formatOfName(name) as DeliveryFormat, compression: packedAs(name), purpose };
};

/** An entry of a folder that is not loaded, and the reason. */
export interface Unloaded {
  readonly name: string;
  readonly reason: string;
}

interface Found {
  readonly files: readonly SourceFile[];
  readonly unloaded: readonly Unloaded[];
}

const reasonOf = (name: string): string => {
  if (pattern.test(name.toLowerCase())) return 'file names are in lower case';
  return formatOfName(name) !== undefined || /\.(?:zip|xml)$/i.test(name)
    ? 'only .csv and .ndjson are loaded without a source'
    : 'it is neither .csv nor .ndjson (plain, .gz or .zst)';
};

const expand = (path: string, purpose: SourceFile['purpose']): Found => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new OperatorError(`There is no file or folder '${printable(path)}'.`);
  if (stat.isDirectory()) {
    const names = readdirSync(path).sort();
    const parsed = names.map((name) => (name === name.toLowerCase() ? parse(join(path, name), purpose) : undefined));
    const files = parsed.filter((file) => file !== undefined);
    const unloaded = names.filter((_, index) => !parsed[index]).map((name) => ({ name: printable(name), reason: reasonOf(name) }));
    if (files.length > 0) return { files, unloaded };
    const others = unloaded.map(({ name, reason }) => `\n${name}: ${reason}`);
    throw new OperatorError(`The folder '${printable(path)}' holds no .csv or .ndjson files.${others.slice(0, 20).join('')}`);
  }
  const file = parse(path, purpose);
  if (!file) throw new OperatorError(`'${printable(path)}' is neither .csv nor .ndjson (plain, .gz or .zst), named after its raw table.`);
  return { files: [file], unloaded: [] };
};

/** Finds the files of the given paths. Throws an `OperatorError` unless there is exactly one file for each table. */
export const findDelivery = (paths: readonly string[], purpose: SourceFile['purpose']): Found => {
  const found = paths.map((path) => expand(path, purpose));
  const files = found.flatMap((one) => one.files);
  for (const file of files) {
    const other = files.find(({ table }) => table === file.table);
    if (other !== file)
      throw new OperatorError(
        `Two files are of the table ${printable(file.table)}: ${printable(other?.path ?? '')} and ${printable(file.path)}.`,
      );
  }
  return { files, unloaded: found.flatMap((one) => one.unloaded) };
};

/** The raw tables after which files of a folder are named. Empty for anything but a folder. */
export const tablesNamedIn = (folder: string): readonly string[] =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder).flatMap((name) => (name === name.toLowerCase() ? (parse(join(folder, name), 'rows')?.table ?? []) : []))
    : [];

/** The files alone. */
export const findSourceFiles = (paths: readonly string[], purpose: SourceFile['purpose']): readonly SourceFile[] =>
  findDelivery(paths, purpose).files;
