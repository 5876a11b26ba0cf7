/** Opens the lists that a table of a source names, each by the reader of its format. */
import { OperatorError } from '../../errors.ts';
import { formatOfName } from '../../sync/files/formats.ts';
import type { FilePath } from '../../sync/files/open-file.ts';
import { shown } from '../../sync/files/rejections.ts';
import { findFiles } from '../files/named-files.ts';
import type { Formats, Origin, Source } from '../source-file.ts';
import type { SourceList } from '../source-rows.ts';
import { readers } from './formats.ts';

/** The formats of a table: its own ones over those of the source. */
export const formatsOf = (source: Source, { formats }: Pick<Origin, 'formats'>): Formats => ({ ...source.formats, ...formats });

/** Opens one file. */
export const openList = async (source: Pick<Source, 'dialect' | 'encoding'>, origin: Origin, file: FilePath): Promise<SourceList> => {
  const name = file.entry ?? file.name;
  const format = origin.format ?? formatOfName(name);
  if (!format && /\.zip$/i.test(name))
    throw new OperatorError(`${shown(file.name)} is an archive: name a file in it, such as path: ${shown(file.name)}/objects.csv.`);
  if (!format) throw new OperatorError(`${shown(file.name)}: the end of the name states no format. State format.`);
  return readers[format].open(file, { dialect: { ...source.dialect, ...origin.dialect }, encoding: origin.encoding ?? source.encoding });
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
  for (const path of await findFiles(folder, origin)) yield* closing(await openList(source, origin, path));
}
