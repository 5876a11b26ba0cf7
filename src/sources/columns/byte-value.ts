/**
 * Fast conversion of ordinary values in the bytes of CSV to fields of COPY. A value that is not converted here is converted by
 * `column-value.ts`, so these functions convert fewer values, never in another way, and never reject one.
 */
import { type Accepts, acceptsBytes } from '../../sync/values/accept-bytes.ts';
import { typeName } from '../../sync/values/check-value.ts';
import type { FieldWriter } from '../keys/copy-fields.ts';
import type { ColumnRule, Formats } from '../source-file.ts';

/** Writes the field of a value, or returns false and writes nothing. */
type Write = (bytes: Buffer, start: number, end: number, isQuoted: boolean, out: FieldWriter) => boolean;

/** The fast conversion of a column. */
export interface ByteValue {
  /** Whether the bytes of a value without quotes are its field. Most values are, so they need no call of `write`. */
  readonly isField: Accepts;
  readonly write: Write;
}

/** Writes the field of a value, or returns false and writes nothing. The value is not empty, and no quote in it is doubled. */
export const writeByteValue = (
  { isField, write }: ByteValue,
  bytes: Buffer,
  start: number,
  end: number,
  isQuoted: boolean,
  out: FieldWriter,
): boolean => {
  if (isQuoted || !isField(bytes, start, end)) return write(bytes, start, end, isQuoted, out);
  out.copy(bytes, start, end);
  return true;
};

const [zero, one, nine, minus, point, comma, quote, blank, lowerT] = [0x30, 0x31, 0x39, 0x2d, 0x2e, 0x2c, 0x22, 0x20, 0x74] as const;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= zero && byte <= nine;

/** Whether a number begins with zeros, or is a zero with a sign. Its plain form is another one. */
const isPadded = (bytes: Uint8Array, start: number, end: number): boolean => {
  const isNegative = bytes[start] === minus;
  const first = isNegative ? start + 1 : start;
  return bytes[first] === zero && (isNegative || (first + 1 < end && isDigit(bytes[first + 1])));
};

const never: Accepts = () => false;

/** Values whose bytes are written by `write`. */
const written = (write: Write): ByteValue => ({ isField: never, write });

const copied = (isField: Accepts): ByteValue => ({
  isField,
  write: (bytes, start, end, isQuoted, out) => {
    if (!isQuoted || !isField(bytes, start, end)) return false;
    out.copy(bytes, start, end);
    return true;
  },
});

/** The longest number here, in bytes. */
const longestNumber = 40;
const digits = Buffer.alloc(longestNumber);

/** A number with other signs than a point. It is accepted in its plain form. */
const numberWith =
  (accepts: Accepts, decimal: number, group: number): Write =>
  (bytes, start, end, _isQuoted, out) => {
    if (end - start > longestNumber) return false;
    let to = 0;
    /** Digits since the last sign of a group; -1 before the first sign. */
    let run = -1;
    let isFraction = false;
    let whole = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (isDigit(byte)) {
        if (!isFraction) {
          whole++;
          if (run >= 0) run++;
        }
        digits[to++] = byte;
      } else if (byte === decimal && !isFraction) {
        if (run >= 0 && run !== 3) return false;
        isFraction = true;
        digits[to++] = point;
      } else if (byte === group && !isFraction) {
        if (run >= 0 ? run !== 3 : whole === 0 || whole > 3) return false;
        run = 0;
      } else if (byte === minus && at === start) digits[to++] = byte;
      else return false;
    }
    if (!isFraction && run >= 0 && run !== 3) return false;
    if (isPadded(digits, 0, to) || !accepts(digits, 0, to)) return false;
    out.write(digits, to);
    return true;
  };

/** The byte of a character of ASCII; -1, which no byte is, for any other one. */
const byteOf = (character: string | undefined): number => {
  const code = character?.charCodeAt(0) ?? -1;
  return code < 0x80 ? code : -1;
};

const numberValue = (type: string, { decimalChar = '.', groupChar }: Formats): ByteValue => {
  const accepts = acceptsBytes({ type, required: false });
  if (decimalChar !== '.' || groupChar !== undefined) return written(numberWith(accepts, byteOf(decimalChar), byteOf(groupChar)));
  return copied((bytes, start, end) => accepts(bytes, start, end) && !isPadded(bytes, start, end));
};

const day = Buffer.from('0000-00-00');

/** Days of ten characters in the first format, which counts before the others. */
const dateValue = ({ dateFormats = [] }: Formats): ByteValue | undefined => {
  const accepts = acceptsBytes({ type: 'date', required: false });
  const [format] = dateFormats;
  if (format === undefined || format === '%Y-%m-%d') return copied(accepts);
  const [, first, sign, second] = /^%([dm])([./-])%([dm])\2%Y$/.exec(format) ?? [];
  if (sign === undefined || first === second) return undefined;
  const separator = byteOf(sign);
  const [dayAt, monthAt] = first === 'd' ? [0, 3] : [3, 0];
  return written((bytes, start, end, _isQuoted, out) => {
    if (end - start !== 10 || bytes[start + 2] !== separator || bytes[start + 5] !== separator) return false;
    for (let at = 0; at < 4; at++) day[at] = bytes[start + 6 + at] as number;
    for (let at = 0; at < 2; at++) {
      day[5 + at] = bytes[start + monthAt + at] as number;
      day[8 + at] = bytes[start + dayAt + at] as number;
    }
    if (!accepts(day, 0, 10)) return false;
    out.write(day, 10);
    return true;
  });
};

const [timeSign, utc] = [0x54, 0x5a] as const;

const timeValue = ({ dateFormats = [] }: Formats): ByteValue | undefined => {
  if (dateFormats.length > 0) return undefined;
  const accepts = acceptsBytes({ type: 'timestamptz', required: false });
  return copied((bytes, start, end) => bytes[start + 10] === timeSign && bytes[end - 1] === utc && accepts(bytes, start, end));
};

const words = { true: Buffer.from('true'), false: Buffer.from('false') } as const;

const booleanValue = ({ trueValues, falseValues }: Formats): ByteValue | undefined => {
  if (trueValues || falseValues) return undefined;
  const accepts = acceptsBytes({ type: 'boolean', required: false });
  const isField: Accepts = (bytes, start, end) => end - start > 1 && accepts(bytes, start, end);
  const write: Write = (bytes, start, end, _isQuoted, out) => {
    if (!accepts(bytes, start, end)) return false;
    if (end - start > 1) out.copy(bytes, start, end);
    else {
      const word = bytes[start] === lowerT || bytes[start] === one ? words.true : words.false;
      out.write(word, word.length);
    }
    return true;
  };
  return { isField, write };
};

/**
 * Bytes that may belong to a blank or to a control character that is not ASCII: the first ones of U+0080 to U+00BF, of U+1000 to U+3FFF, and
 * of U+F000 to U+FFFF.
 */
const isSuspicious = (byte: number): boolean => byte === 0xc2 || (byte >= 0xe1 && byte <= 0xe3) || byte === 0xef;

/** Text of other bytes than `refused`, which has a place for each byte, without a blank at its ends. */
const textWithout =
  (refused: Uint8Array): Accepts =>
  (bytes, start, end) => {
    for (let at = start; at < end; at++) if (refused[bytes[at] as number] === 1) return false;
    return bytes[start] !== blank && bytes[end - 1] !== blank;
  };

const isRefused = (byte: number): boolean => byte < blank || byte === 0x7f || byte === quote || isSuspicious(byte);
const refusedBytes = Uint8Array.from({ length: 256 }, (_, byte) => (isRefused(byte) ? 1 : 0));
const isText = textWithout(refusedBytes);

const textValue: ByteValue = {
  isField: textWithout(refusedBytes.with(comma, 1)),
  write: (bytes, start, end, isQuoted, out) => {
    if (!isText(bytes, start, end)) return false;
    if (isQuoted) out.copy(bytes, start - 1, end + 1);
    else out.text(bytes.toString('utf8', start, end));
    return true;
  },
};

const valueOfType = (type: string, formats: Formats): ByteValue | undefined => {
  switch (typeName(type)) {
    case 'text':
      return textValue;
    case 'integer':
    case 'bigint':
    case 'numeric':
      return numberValue(type, formats);
    case 'date':
      return dateValue(formats);
    case 'timestamptz':
      return timeValue(formats);
    case 'boolean':
      return booleanValue(formats);
    default:
      return undefined;
  }
};

/** A rule that reads one column as it is. */
const isPlainRule = ({ from, apply, part, codes, join, constant, ...rest }: ColumnRule): boolean =>
  typeof from === 'string' && !apply && !part && !codes && !join && constant === undefined && rest.references === undefined;

/** The longest word for no value, in bytes. Longer words are rare. */
const longestWord = 60;

/** The fast conversion of a column; undefined if its rule or its type has none. `quoteChar` is that of the file. */
export const byteValue = (rule: ColumnRule, type: string, inherited: Formats): ByteValue | undefined => {
  if (!isPlainRule(rule)) return undefined;
  const formats = { ...inherited, ...rule.formats };
  const missing = (formats.missingValues ?? []).map((word) => Buffer.byteLength(word));
  const convert = valueOfType(type, formats);
  if (!convert || missing.some((length) => length > longestWord)) return undefined;
  if (missing.length === 0) return convert;
  // A value as long as a word for no value is compared with it as text.
  const lengths = new Uint8Array(longestWord + 1);
  for (const length of missing) lengths[length] = 1;
  const { isField, write } = convert;
  return {
    isField: (bytes, start, end) => lengths[end - start] !== 1 && isField(bytes, start, end),
    write: (bytes, start, end, isQuoted, out) => lengths[end - start] !== 1 && write(bytes, start, end, isQuoted, out),
  };
};
