/**
 * Checks the pages of a Parquet file before the library reads them (contract: files in loads). The library trusts sizes, counts and lengths of
 * runs. In a damaged file, a negative size or a run of a billion values never ends, and a wrong count shifts or repeats rows. It also ignores
 * checksums.
 */
import { crc32 } from 'node:zlib';
import type { AsyncBuffer, ColumnChunk, Compressors, FileMetaData, PageHeader, SchemaElement } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { deserializeTCompactProtocol, readVarInt } from 'hyparquet/src/thrift.js';

export type RowGroup = FileMetaData['row_groups'][number];

/** The four bytes before the first page and, with the length of the metadata, after it. */
const signature = 4;

const count = (value: unknown, what: string): number => {
  const number = Number(value ?? Number.NaN);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`${what} is ${String(value)}`);
  return number;
};

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Throws if runs of values of `width` bits repeat one more often than there are values, or are longer than their block. */
const checkRuns = (block: Uint8Array, width: number, values: number): void => {
  const reader = { view: viewOf(block), offset: 0 };
  for (let seen = 0; seen < values && reader.offset < block.length; ) {
    const run = readVarInt(reader);
    const packed = (run >>> 1) * 8;
    seen += run & 1 ? packed : run >>> 1;
    if (!(run & 1) && seen > values) throw new Error('a run of values is longer than its page');
    reader.offset += run & 1 ? (packed / 8) * width : Math.ceil(width / 8);
  }
  // Writers may leave out the padding of the last run.
  if (reader.offset > block.length + 8 * width) throw new Error('a run of values ends after its page');
};

/** The block at an offset, after its length. */
const blockAt = (page: Uint8Array, offset: number): Uint8Array => {
  const end = offset + 4 + viewOf(page).getUint32(offset, true);
  if (end > page.length) throw new Error('a block ends after its page');
  return page.subarray(offset + 4, end);
};

const checkValues = (page: Uint8Array, encoding: string, { type }: SchemaElement, values: number): void => {
  if (encoding.endsWith('_DICTIONARY') && page.length > 0) checkRuns(page.subarray(1), page[0]!, values);
  if (encoding === 'RLE' && type === 'BOOLEAN') checkRuns(blockAt(page, 0), 1, values);
};

interface Column {
  readonly chunk: ColumnChunk;
  readonly element: SchemaElement;
  readonly compressors: Compressors;
}

/** The number of values of a page with its bytes; 0 for a dictionary. */
const checkPage = (header: PageHeader, bytes: Uint8Array, { chunk, element, compressors }: Column): number => {
  const { type, data_page_header: first, data_page_header_v2: second } = header;
  const size = count(header.uncompressed_page_size, 'the uncompressed size of a page');
  const { codec } = chunk.meta_data!;
  const isOptional = element.repetition_type === 'OPTIONAL';
  if (type === 'DATA_PAGE' && first) {
    const values = count(first.num_values, 'the number of values in a page');
    const page = decompressPage(bytes, size, codec, compressors);
    const levels = isOptional ? blockAt(page, 0) : undefined;
    if (levels) checkRuns(levels, 1, values);
    checkValues(page.subarray(levels ? 4 + levels.length : 0), first.encoding, element, values);
    return values;
  }
  if (type === 'DATA_PAGE_V2' && second) {
    const values = count(second.num_values, 'the number of values in a page');
    const levels = count(second.definition_levels_byte_length, 'the size of a block');
    if (second.repetition_levels_byte_length !== 0 || levels > bytes.length) throw new Error('a block ends after its page');
    if (isOptional) checkRuns(bytes.subarray(0, levels), 1, values);
    const rest = bytes.subarray(levels);
    const page = second.is_compressed === false ? rest : decompressPage(rest, size - levels, codec, compressors);
    checkValues(page, second.encoding, element, values);
    return values;
  }
  if (type === 'DICTIONARY_PAGE') return 0;
  throw new Error(`a page has the type ${String(type)}`);
};

const checkChunk = async (file: AsyncBuffer, column: Column, rows: number): Promise<void> => {
  const { meta_data, file_path } = column.chunk;
  if (!meta_data || file_path) throw new Error('a column is in another file');
  const first = count(meta_data.dictionary_page_offset || meta_data.data_page_offset, 'the offset of a column');
  const size = count(meta_data.total_compressed_size, 'the size of a column');
  if (first < signature || first + size > file.byteLength - 2 * signature) throw new Error('a column is outside of the file');
  const bytes = new Uint8Array(await file.slice(first, first + size));
  const reader = { view: viewOf(bytes), offset: 0 };
  let values = 0;
  while (reader.offset < size) {
    const header = parquetHeader(reader);
    const end = reader.offset + count(header.compressed_page_size, 'the size of a page');
    if (end > size) throw new Error('a page ends after its column');
    const page = bytes.subarray(reader.offset, end);
    // Writers need not write it.
    if (header.crc !== undefined && crc32(page) !== header.crc >>> 0) throw new Error('the checksum of a page is wrong');
    values += checkPage(header, page, column);
    reader.offset = end;
  }
  if (values !== rows) throw new Error(`a column has ${values} values for ${rows} rows`);
};

/**
 * Throws if the metadata of the file are not read whole, or describe a column by a field that the format does not have. The library ignores such
 * fields, so a damaged description would make other numbers of decimals.
 */
export const checkDescription = async (file: AsyncBuffer): Promise<void> => {
  const end = file.byteLength - 2 * signature;
  const size = new DataView(await file.slice(end, end + 4)).getUint32(0, true);
  const reader = { view: new DataView(await file.slice(end - size, end)), offset: 0 };
  const { field_2: elements } = deserializeTCompactProtocol(reader);
  if (reader.offset !== size) throw new Error('the metadata are not whole');
  for (const element of elements as readonly Readonly<Record<string, unknown>>[])
    for (const [name, value] of Object.entries(element)) {
      const field = Number(name.replace('field_', ''));
      const isKnown = field >= 1 && field <= 10;
      const expected = field === 4 ? value instanceof Uint8Array : typeof value === (field === 10 ? 'object' : 'number');
      if (!isKnown || !expected) throw new Error(`a column has the unknown field ${field}`);
    }
};

export interface PageCheck {
  readonly file: AsyncBuffer;
  readonly compressors: Compressors;
  /** The columns of the file, in its order. */
  readonly elements: readonly SchemaElement[];
}

/** The number of rows of a row group. Throws if the pages of one of its columns are not whole. */
export const checkRowGroup = async ({ file, compressors, elements }: PageCheck, { columns, num_rows }: RowGroup): Promise<number> => {
  const rows = count(num_rows, 'the number of rows');
  if (columns.length !== elements.length) throw new Error(`a group has ${columns.length} of ${elements.length} columns`);
  for (const [index, chunk] of columns.entries()) await checkChunk(file, { chunk, element: elements[index]!, compressors }, rows);
  return rows;
};

/**
 * Throws if the cells of a column are not as many as the rows, or if there are other nulls than the statistics of the column say. The library
 * reads values whose marks of presence are damaged as null.
 */
export const checkNulls = ({ columns, num_rows }: RowGroup, cells: readonly (readonly unknown[])[]): void => {
  for (const [index, { meta_data }] of columns.entries()) {
    const own = cells[index] ?? [];
    if (own.length !== Number(num_rows)) throw new Error(`a column has ${own.length} values for ${num_rows} rows`);
    const expected = meta_data?.statistics?.null_count;
    const nulls = own.filter((cell) => cell === null).length;
    if (expected !== undefined && Number(expected) !== nulls) throw new Error(`a column has ${nulls} nulls instead of ${expected}`);
  }
};
