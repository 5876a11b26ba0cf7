/** The formats of files (contract: files). */
export const fileFormats = ['parquet', 'csv.gz', 'ndjson.gz'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** The media type of each format. */
export const fileTypes = {
  parquet: 'application/vnd.apache.parquet',
  'csv.gz': 'application/gzip',
  'ndjson.gz': 'application/gzip',
} as const satisfies Record<FileFormat, string>;

/** The path of a table's files. The files of raw tables have a path of their own. */
export const filesPathOf = (kind: 'raw' | 'category', name: string): string => (kind === 'raw' ? `/files/raw/${name}` : `/files/${name}`);

/** The path that leads to the current Parquet file of a category table. */
export const parquetPathOf = (name: string): string => `${filesPathOf('category', name)}/latest.parquet`;
