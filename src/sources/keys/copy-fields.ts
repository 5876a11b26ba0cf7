/**
 * The values of rows as fields of COPY (FORMAT csv), in bytes. A row is converted once: what is spooled is sent to the database as it is.
 * A value that is missing is nothing, and every text that could be read in another way has quotes.
 */

const [comma, quote] = [0x2c, 0x22] as const;
/** The bytes that a writer has at first. A row that is longer makes it grow. */
const firstLength = 64 * 1024;
/** Longer runs are copied by the runtime, shorter ones here, because each call of the runtime has its cost. */
const shortRun = 256;

/** The fields of one row, without a line end. */
export interface RowFields {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Copies bytes. Returns the position after them. */
export const copyFieldBytes = ({ bytes, start, end }: RowFields, target: Buffer, to: number): number => {
  if (end - start > shortRun) return to + bytes.copy(target, to, start, end);
  let at = to;
  for (let from = start; from < end; from++) target[at++] = bytes[from] as number;
  return at;
};

/** The digits of the longest key. */
export const integerLength = 16;
/** Above it, the operators of 32 bits do not hold. */
const maxFast = 2 ** 31;

/** Writes a positive integer, which has at most `integerLength` digits. Returns the position after it. */
export const writeInteger = (bytes: Buffer, start: number, value: number): number => {
  if (value >= maxFast) return start + bytes.write(String(value), start, 'latin1');
  let digits = 1;
  for (let limit = 10; limit <= value; limit *= 10) digits++;
  let rest = value;
  for (let at = start + digits - 1; at >= start; at--) {
    const next = (rest / 10) | 0;
    bytes[at] = 0x30 + rest - next * 10;
    rest = next;
  }
  return start + digits;
};

/** How many rows have no value, by column. */
export interface Missing {
  rows: number;
  readonly values: number[];
}

export const noneMissing = (columns: number): Missing => ({ rows: 0, values: new Array<number>(columns).fill(0) });

const empty = Buffer.alloc(0);

/**
 * Writes the fields of rows one after the other. Rows that are written stay as they are. Fields that are neighbours in the bytes of a file,
 * with a comma between them, are one run: they are copied together, and a row of one run is not copied.
 */
export class FieldWriter {
  readonly #missing: Missing;
  #bytes: Buffer = Buffer.allocUnsafe(firstLength);
  #start = 0;
  #at = 0;
  /** The run that is not copied yet. */
  #from: Buffer = empty;
  #first = 0;
  #end = -1;
  /** How many fields the row has. */
  #fields = 0;
  /** The fields of the row without a value. */
  readonly #without: number[] = [];
  #withoutCount = 0;

  /** `missing` counts the values that the rows lack. */
  constructor(missing: Missing) {
    this.#missing = missing;
  }

  /** Begins a row. One that was not ended is dropped. */
  begin(): void {
    this.#at = this.#start;
    this.#end = -1;
    this.#fields = 0;
    this.#withoutCount = 0;
  }

  /** Ends the row. */
  end(): RowFields {
    const { values } = this.#missing;
    this.#missing.rows++;
    for (let index = 0; index < this.#withoutCount; index++) values[this.#without[index]!]!++;
    if (this.#at === this.#start && this.#end >= 0) return { bytes: this.#from, start: this.#first, end: this.#end };
    this.#flush();
    const row = { bytes: this.#bytes, start: this.#start, end: this.#at };
    this.#start = this.#at;
    return row;
  }

  /** A field that is in the bytes of the file. */
  copy(bytes: Buffer, start: number, end: number): void {
    if (this.#end >= 0 && this.#end === start - 1 && bytes === this.#from && bytes[this.#end] === comma) this.#end = end;
    else {
      this.#next();
      this.#from = bytes;
      this.#first = start;
      this.#end = end;
    }
    this.#fields++;
  }

  /** A field without a value. `start` is its place in the bytes of the file. */
  none(bytes: Buffer, start: number): void {
    this.#without[this.#withoutCount++] = this.#fields;
    this.copy(bytes, start, start);
  }

  /** A field whose bytes are made for it. They are copied. */
  write(bytes: Uint8Array, length: number): void {
    this.#next();
    this.#reserve(length);
    const own = this.#bytes;
    let to = this.#at;
    for (let from = 0; from < length; from++) own[to++] = bytes[from] as number;
    this.#at = to;
    this.#fields++;
  }

  /** A positive integer. */
  integer(value: number): void {
    this.#next();
    this.#reserve(integerLength);
    this.#at = writeInteger(this.#bytes, this.#at, value);
    this.#fields++;
  }

  /** A value as a field; null is an empty field. */
  text(value: string | null): void {
    this.#next();
    if (value === null) this.#without[this.#withoutCount++] = this.#fields;
    else this.#writeText(value);
    this.#fields++;
  }

  #writeText(value: string): void {
    const { length } = value;
    // A character of UTF-16 has at most three bytes of UTF-8, and a quote is doubled.
    this.#reserve(length * 3 + 2);
    const own = this.#bytes;
    let to = this.#at;
    own[to++] = quote;
    for (let from = 0; from < length; from++) {
      const code = value.charCodeAt(from);
      if (code > 0x7f) {
        to += own.write(value.slice(from).replaceAll('"', '""'), to);
        break;
      }
      if (code === quote) own[to++] = quote;
      own[to++] = code;
    }
    own[to++] = quote;
    this.#at = to;
  }

  /** Ends the run, and writes the comma before the next field. */
  #next(): void {
    if (this.#fields === 0) return;
    this.#flush();
    this.#reserve(0);
    this.#bytes[this.#at++] = comma;
  }

  #flush(): void {
    if (this.#end < 0) return;
    this.#reserve(this.#end - this.#first);
    this.#at = copyFieldBytes({ bytes: this.#from, start: this.#first, end: this.#end }, this.#bytes, this.#at);
    this.#end = -1;
  }

  /** Makes place for bytes and a comma. */
  #reserve(length: number): void {
    if (this.#at + length + 1 <= this.#bytes.length) return;
    const written = this.#at - this.#start;
    const bytes = Buffer.allocUnsafe(Math.max(firstLength, (written + length + 1) * 2));
    this.#bytes.copy(bytes, 0, this.#start, this.#at);
    this.#bytes = bytes;
    this.#start = 0;
    this.#at = written;
  }
}

/** The position after the field that begins at `start`. */
export const endOfField = (bytes: Uint8Array, start: number, end: number): number => {
  let at = start;
  if (at < end && bytes[at] === quote) {
    // A doubled quote ends a part and begins the next one.
    do at = bytes.indexOf(quote, at + 1) + 1;
    while (at < end && bytes[at] === quote);
    return at;
  }
  while (at < end && bytes[at] !== comma) at++;
  return at;
};

/** The value of a field. */
export const readField = (bytes: Buffer, start: number, end: number): string | null => {
  if (start === end) return null;
  if (bytes[start] !== quote) return bytes.toString('utf8', start, end);
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('"') ? text.replaceAll('""', '"') : text;
};

/** The values of a row of `count` columns. */
export const valuesOfRow = ({ bytes, start, end }: RowFields, count: number): (string | null)[] => {
  const values: (string | null)[] = [];
  for (let at = start, column = 0; column < count; column++) {
    const next = endOfField(bytes, at, end);
    values.push(readField(bytes, at, next));
    at = next + 1;
  }
  return values;
};
