/** The Parquet type of each column, from its SQL type (contract: values in files). */
import type { SchemaElement } from 'hyparquet';

/** How the text of a field becomes a value. */
export type ValueKind = 'integer' | 'bigint' | 'decimal' | 'double' | 'boolean' | 'date' | 'timestamp' | 'string';

export interface ParquetColumn {
  readonly kind: ValueKind;
  /** Digits after the point of a decimal. */
  readonly scale: number;
  readonly element: SchemaElement;
}

/** Decimals of more digits do not fit into 64 bits. They are text. */
const most64BitDigits = 18;

const kindOf = (type: string): ValueKind => {
  switch (type) {
    case 'smallint':
    case 'integer':
      return 'integer';
    case 'bigint':
      return 'bigint';
    case 'real':
    case 'double precision':
      return 'double';
    case 'boolean':
    case 'date':
      return type;
    case 'timestamp with time zone':
    case 'timestamp without time zone':
      return 'timestamp';
    default:
      return 'string';
  }
};

const decimalPattern = /^numeric\((\d+),(\d+)\)$/;

/** The Parquet column of an SQL type. A type without an exact Parquet type becomes text with the digits of the database. */
export const parquetColumn = (name: string, type: string): ParquetColumn => {
  const own = { name, repetition_type: 'OPTIONAL' } as const;
  const [, precision = 0, scale = 0] = (decimalPattern.exec(type) ?? []).map(Number);
  if (precision > 0 && precision <= most64BitDigits)
    return { kind: 'decimal', scale, element: { ...own, type: 'INT64', converted_type: 'DECIMAL', precision, scale } };
  const kind = kindOf(type);
  const elements = {
    integer: { type: 'INT32' },
    bigint: { type: 'INT64' },
    double: { type: 'DOUBLE' },
    boolean: { type: 'BOOLEAN' },
    date: { type: 'INT32', converted_type: 'DATE' },
    timestamp: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  } as const satisfies Record<Exclude<ValueKind, 'decimal'>, Partial<SchemaElement>>;
  return { kind, scale: 0, element: { ...own, ...elements[kind as Exclude<ValueKind, 'decimal'>] } };
};
