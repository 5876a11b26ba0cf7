/**
 * The names of files in a store. Each customer has a folder, and in it a folder for each set of columns that keys may read.
 *
 * The name of a customer's folder contains the epoch of its data versions: after a restore, no earlier file is found (contract: data epochs).
 */
import { createHash } from 'node:crypto';
import type { DataScope } from '../../catalogue/data-scope.ts';
import type { DatasetKind } from '../../catalogue/table.ts';
import type { CustomerSchema } from '../../database/control/state-tables.ts';
import type { FileFormat } from '../formats.ts';

/** The owner of files: a customer's data in one epoch, as a data scope shows it. */
export interface FileOwner {
  readonly customer: CustomerSchema;
  readonly epoch: string | null;
  /** Undefined: all data. */
  readonly scope: DataScope | undefined;
}

/** Identifies the files of a table in one format. */
export interface FileName extends FileOwner {
  readonly kind: DatasetKind;
  readonly name: string;
  readonly format: FileFormat;
}

export const digest = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

/** The folder of a customer in one epoch, in the store. */
export const customerFolder = ({ customer: { id, schema }, epoch }: Pick<FileOwner, 'customer' | 'epoch'>): string =>
  `${schema}-${digest(id, schema, epoch)}`;

const customerPattern = /^(.+)-[0-9a-f]{16}$/;

/** The schema of a customer's folder; undefined for other names in the store, which are not touched. */
export const schemaOfFolder = (folder: string): string | undefined => customerPattern.exec(folder)?.[1];

/**
 * The folder of a data scope: keys that see the same data share files. A table of which a scope shows a part of the rows has no files
 * (`file-tables.ts`), so only the hidden classes of personal data differ.
 */
export const scopeFolder = ({ scope }: Pick<FileOwner, 'scope'>): string =>
  scope && scope.hidden.size > 0 ? `scope-${digest([...scope.hidden].sort())}` : 'all';

/** Whether a folder of a customer holds files. Others hold `requested` and `building` (`requested-files.ts`, `build-claims.ts`). */
export const isScopeFolder = (folder: string): boolean => /^(?:all|scope-[0-9a-f]{16})$/.test(folder);

/** The beginning of the names of a table's files. Names that are not plain are replaced by a digest. */
export const stemOf = ({ kind, name }: Pick<FileName, 'kind' | 'name'>): string =>
  `${kind}.${/^[a-z0-9_]+$/.test(name) ? name : `.${digest(name)}`}`;

/** The folder of an owner's files, with a `/` at its end. */
export const folderOf = (owner: FileOwner): string => `${customerFolder(owner)}/${scopeFolder(owner)}/`;

/** The name of what is stored once for a file, in a folder of the customer. Keys that see the same data get the same name. */
export const nameInFolder = (file: FileName, folder: string): string =>
  `${customerFolder(file)}/${folder}/${scopeFolder(file)}.${stemOf(file)}.${file.format}`;
