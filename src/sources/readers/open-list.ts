/** Opens the lists that a table of a source names, each by the reader of its format. */
import { OperatorError } from '../../errors.ts';
import { decode, openBytes, type SourcePath } from '../files/bytes.ts';
import { findFiles } from '../files/named-files.ts';
import { shown } from '../rejections.ts';
import type { Formats, Origin, Source } from '../source-file.ts';
import type { SourceList } from '../source-rows.ts';
import { readCsv } from './csv.ts';

type Format = NonNullable<Origin['format']>;

const byEnding: Readonly<Record<string, Format>> = {
  csv: 'csv',
  txt: 'csv',
  tsv: 'csv',
  tab: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  parquet: 'parquet',
};

/** The format that the end of a name states. */
export const formatOfName = (name: string): Format | undefined => byEnding[/\.([a-z]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? ''];

/** The formats of a table: its own ones over those of the source. */
export const formatsOf = (source: Source, { formats }: Pick<Origin, 'formats'>): Formats => ({ ...source.formats, ...formats });

/** Opens one file. */
export const openFile = async (source: Pick<Source, 'dialect' | 'encoding'>, origin: Origin, path: SourcePath): Promise<SourceList> => {
  const format = origin.format ?? formatOfName(path.entry ?? path.name);
  if (!format && /\.zip$/i.test(path.entry ?? path.name))
    throw new OperatorError(`${shown(path.name)} is an archive: name a file in it, such as path: ${shown(path.name)}/objects.csv.`);
  if (!format) throw new OperatorError(`${shown(path.name)}: the end of the name states no format. State format.`);
  const dialect = { ...source.dialect, ...origin.dialect };
  const encoding = origin.encoding ?? source.encoding ?? 'utf-8';
  const text = async (usual = encoding) => decode(await openBytes(path), usual, path.name);
  switch (format) {
    case 'csv':
      return readCsv(path.name, await text(), dialect);
    case 'datev':
      return (await import('./datev.ts')).readDatev(path.name, await text(origin.encoding ?? source.encoding ?? 'windows-1252'), dialect);
    case 'ndjson':
    case 'json':
      return (await import('./json.ts')).readJson(path.name, await text(), format);
    case 'xlsx':
      return (await import('./excel.ts')).readExcel(path, dialect);
    case 'parquet':
      return (await import('./parquet.ts')).readParquet(path);
  }
};

/** Gives a list and closes it after its use, whether its rows were read or not. */
async function* closing(list: SourceList): AsyncGenerator<SourceList> {
  try {
    yield list;
  } finally {
    await list.close?.();
  }
}

/** Opens the lists of an origin, one after the other. `since`: the watermark of the last load. */
export async function* openLists(source: Source, folder: string, origin: Origin, since?: string): AsyncGenerator<SourceList> {
  if (origin.database !== undefined) {
    const { openQuery } = await import('./database.ts');
    const database = source.databases?.[origin.database];
    if (!database) throw new OperatorError(`databases has no '${shown(origin.database)}'.`);
    yield* closing(await openQuery(database, origin, since));
    return;
  }
  for (const path of await findFiles(folder, origin)) yield* closing(await openFile(source, origin, path));
}
