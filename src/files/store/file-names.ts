/**
 * The names of files in a store. Each customer has a folder. The name of a file follows from what it shows of its table, so keys that see the
 * same rows and columns share a file, and no others.
 *
 * The name of a customer's folder contains the epoch of its data versions: after a restore, no earlier file is found (contract: data epochs).
 */
import { createHash } from 'node:crypto';
import { tableReaders } from '../../catalogue/readership.ts';
import type { CustomerSchema } from '../../database/control/state-tables.ts';
import type { PlanSource } from '../../plan/plan.ts';
import type { FileFormat } from '../formats.ts';

/** The owner of files: a customer's data in one epoch. */
export interface FileOwner {
  readonly customer: CustomerSchema;
  readonly epoch: string | null;
}

/** Identifies the files of a table in one format, as some keys see it. */
export interface FileName extends FileOwner, Pick<PlanSource, 'kind' | 'name'> {
  readonly format: FileFormat;
  /** Keys that see the same rows and columns of the table (`tableReaders`). */
  readonly readers: string;
}

/** The files of a table within its data scope. */
export const storedNameOf = (
  owner: FileOwner,
  { source, columns }: { readonly source: PlanSource; readonly columns: readonly string[] },
  format: FileFormat,
): FileName => ({ ...owner, kind: source.kind, name: source.name, format, readers: tableReaders(source, columns) });

const digest = (...parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

/** A part of the names of folders. Another number makes earlier files unknown, and `estate files prune` removes them. */
const layout = 2;

/** The folder of a customer in one epoch, in the store. */
export const customerFolder = ({ customer: { id, schema }, epoch }: FileOwner): string => `${schema}-${digest(layout, id, schema, epoch)}`;

const customerPattern = /^(.+)-[0-9a-f]{16}$/;

/** The schema of a customer's folder; undefined for other names in the store, which are not touched. */
export const schemaOfFolder = (folder: string): string | undefined => customerPattern.exec(folder)?.[1];

/** The folder of an owner's files, with a `/` at its end. */
export const folderOf = (owner: FileOwner): string => `${customerFolder(owner)}/`;

/** The beginning of the names of a table's files in their folder. Names that are not plain are replaced by a digest. */
export const stemOf = ({ kind, name, readers }: Pick<FileName, 'kind' | 'name' | 'readers'>): string =>
  `${kind}.${/^[a-z0-9_]+$/.test(name) ? name : `.${digest(name)}`}.${digest(readers)}`;

/** The table of a beginning of names. */
export const tableOfStem = (stem: string): string => stem.slice(0, stem.lastIndexOf('.'));

/** The name of a file without its version. */
export const storeKeyOf = (file: FileName): string => `${folderOf(file)}${stemOf(file)}.${file.format}`;

/** A strong tag. Two customers never share one, and neither do keys that see different columns (contract: conditional requests). */
export const tagOf = (file: FileName, sha256: string): string => `"${digest(storeKeyOf(file), sha256)}"`;
