/** The reader of each format, and the lists that a file of it holds. Readers are loaded when a file needs them. */
import type { FormatName } from '../../sync/files/formats.ts';
import type { FilePath } from '../../sync/files/open-file.ts';
import { utf8Of } from '../../sync/files/text.ts';
import type { Dialect } from '../source-file.ts';
import type { SourceList } from '../source-rows.ts';
import { readCsv } from './csv.ts';

/** How a source declares a file. */
export interface Declared {
  readonly dialect: Dialect;
  /** Absent: the usual encoding of the format. */
  readonly encoding: string | undefined;
}

export interface FormatReader {
  /** Opens one list of a file. */
  readonly open: (file: FilePath, declared: Declared) => Promise<SourceList>;
  /** What a source declares to open each list of a file. Absent: a file is one list. */
  readonly lists?: (file: FilePath) => Promise<readonly Dialect[]>;
}

export const readers: Readonly<Record<FormatName, FormatReader>> = {
  csv: {
    open: async (file, { dialect, encoding = 'utf-8' }) => readCsv(file.name, utf8Of(file, encoding), dialect),
  },
  datev: {
    open: async (file, { dialect, encoding = 'windows-1252' }) =>
      (await import('./datev.ts')).readDatev(file.name, utf8Of(file, encoding), dialect),
  },
  ndjson: {
    open: async (file, { encoding = 'utf-8' }) => (await import('./json.ts')).readJson(file.name, utf8Of(file, encoding), 'ndjson'),
  },
  json: {
    open: async (file, { encoding = 'utf-8' }) => (await import('./json.ts')).readJson(file.name, utf8Of(file, encoding), 'json'),
  },
  xlsx: {
    open: async (file, { dialect }) => (await import('./workbook.ts')).readWorkbook(file, dialect),
    lists: async (file) =>
      (await (await import('./workbook.ts')).sheetNames(file)).map((sheetName, index) => (index === 0 ? {} : { sheetName })),
  },
  parquet: {
    open: async (file) => (await import('./parquet.ts')).readParquet(file),
  },
};
