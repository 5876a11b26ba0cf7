/** Parquet files, read by row group. */
import { OperatorError } from '../../errors.ts';
import { type FilePath, watchFile } from '../../sync/files/open-file.ts';
import { shown } from '../../sync/files/rejections.ts';
import { type Cell, inBatches, PlainText, type SourceList, type SourceRow } from '../source-rows.ts';
import { checkDescription, checkNulls, checkRowGroup, type RowGroup } from './parquet-pages.ts';

/** What the reader needs of an element of a file's schema. */
interface Element {
  readonly name: string;
  readonly type?: string;
  converted_type?: string | undefined;
  logical_type?: { readonly type: string; readonly isAdjustedToUTC?: boolean } | undefined;
  readonly scale?: number | undefined;
  readonly precision?: number | undefined;
}

const isoOf = (milliseconds: number, fraction: string): string => `${new Date(milliseconds).toISOString().split('.')[0]}${fraction}`;

const floor = (value: bigint, by: bigint): bigint => (value - (((value % by) + by) % by)) / by;

/** Time of a count of microseconds, in ISO 8601 without a zone. */
const fromMicroseconds = (count: bigint): string => {
  const seconds = floor(count, 1_000_000n);
  const rest = count - seconds * 1_000_000n;
  return isoOf(Number(seconds) * 1_000, rest === 0n ? '' : `.${String(rest).padStart(6, '0')}`);
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const parsers = {
  timestampFromMilliseconds: (count: bigint) => fromMicroseconds(BigInt(count) * 1_000n),
  timestampFromMicroseconds: (count: bigint) => fromMicroseconds(BigInt(count)),
  timestampFromNanoseconds: (count: bigint) => fromMicroseconds(floor(BigInt(count), 1_000n)),
  dateFromDays: (days: number) => isoOf(days * 86_400_000, '').split('T')[0]!,
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && utf8.decode(bytes),
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && utf8.decode(bytes),
};

/** The exact decimal text of an integer and its scale. */
const decimalOf = (value: unknown, scale: number): string => {
  const whole =
    value instanceof Uint8Array
      ? BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString('hex')}`))
      : BigInt(value as number);
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return whole < 0n ? `-${text}` : text;
};

type Read = (value: unknown) => Cell;

/** How values of a column are read. Decimals lose their type, because the library would compute them with 53 bits. */
const readerOf = (element: Element): Read => {
  const { converted_type, logical_type, type } = element;
  if (converted_type === 'DECIMAL' || logical_type?.type === 'DECIMAL') {
    element.converted_type = undefined;
    element.logical_type = undefined;
    const { scale = 0, precision = scale } = element;
    if (scale < 0 || scale > precision) throw new Error(`a column has ${scale} of ${precision} digits after the point`);
    return (value) => new PlainText(decimalOf(value, scale));
  }
  if (element.scale !== undefined || element.precision !== undefined) throw new Error('a column has a scale and is no decimal');
  // Without the newer type, a time is an instant.
  const isTime = type === 'INT96' || converted_type?.startsWith('TIMESTAMP') || logical_type?.type === 'TIMESTAMP';
  if (isTime) {
    const zone = logical_type?.isAdjustedToUTC === false ? '' : 'Z';
    return (value) => new PlainText(`${value}${zone}`);
  }
  if (converted_type === 'DATE' || logical_type?.type === 'DATE') return (value) => new PlainText(String(value));
  const isText = converted_type === 'UTF8' || converted_type === 'ENUM' || logical_type?.type === 'STRING' || logical_type?.type === 'ENUM';
  return (value) => {
    if (!(value instanceof Uint8Array)) return value as Cell;
    // Some programs write text without its type.
    const isPlainText = isText || !Buffer.from(new TextDecoder().decode(value)).compare(value);
    return isPlainText ? new TextDecoder().decode(value) : Buffer.from(value).toString('hex');
  };
};

/** Reads a Parquet file with flat columns. */
export const readParquet = async ({ path, entry, name }: FilePath): Promise<SourceList> => {
  if (entry !== undefined) throw new OperatorError(`${shown(name)}: Parquet is read from a file, not from an archive.`);
  const [{ parquetMetadataAsync, parquetReadObjects, parquetSchema }, { asyncBufferFromFile }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet/src/node.js'),
    import('hyparquet-compressors'),
  ]);
  const damaged = (error: unknown) =>
    error instanceof OperatorError
      ? error
      : new OperatorError(`${shown(name)} is no whole Parquet file: deliver it again (${shown((error as Error).message)}).`);
  const refuseChanged = watchFile({ path, name });
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    await checkDescription(file);
    const { children: leaves } = parquetSchema(metadata);
    const pages = { file, compressors, elements: leaves.map(({ element }) => ({ ...element })) };
    const columns = leaves.map(({ element, children }) => {
      if (children.length > 0)
        throw new OperatorError(`${shown(name)}: the column '${shown(element.name)}' is nested, and only flat columns are read.`);
      return { name: element.name, read: readerOf(element as Element) };
    });
    /** The cells of each column. Columns are read one after the other, because the library leaves the errors of others without a handler. */
    const readGroup = async (group: RowGroup, rowStart: number): Promise<readonly Cell[][]> => {
      const rowEnd = rowStart + (await checkRowGroup(pages, group));
      const cells: Cell[][] = [];
      for (const { name: column, read } of columns) {
        const request = { file, metadata, compressors, parsers, utf8: false, rowStart, rowEnd, columns: [column] };
        const records = await parquetReadObjects(request as Parameters<typeof parquetReadObjects>[0]);
        cells.push(records.map(({ [column]: value }) => (value === null || value === undefined ? null : read(value))));
      }
      checkNulls(group, cells);
      return cells;
    };
    async function* rows(): AsyncGenerator<SourceRow> {
      let line = 0;
      for (const group of metadata.row_groups) {
        const cells = await readGroup(group, line).catch((error: unknown) => {
          throw damaged(error);
        });
        for (let row = 0; row < Number(group.num_rows); row++) yield { line: ++line, cells: cells.map((column) => column[row] ?? null) };
      }
      refuseChanged();
    }
    return { name, columns: columns.map((column) => column.name), rows: inBatches(rows()) };
  } catch (error) {
    throw damaged(error);
  }
};
