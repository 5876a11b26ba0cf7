/**
 * Randomly damaged exports are refused, or read as they mean (contract: files in loads; values in loads). What a file means is decided by readers in this test,
 * which share no code with those of the service. Of a packed file, whose format has checksums, only the undamaged content may be read.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { OperatorError } from '../../src/errors.ts';
import { withPreparedExport } from '../../src/sources/prepare-load.ts';
import { parseSource } from '../../src/sources/source-file.ts';
import { rounds, seedOf } from '../support/rounds.ts';
import { seededRandom } from '../sync/support.ts';
import { workbookOf, zipOf } from './archives.ts';

const cases = rounds(5_000);

/** The columns of the test and their types. The first is the key. */
const types = {
  condition_id: 'key',
  property_id: 'integer',
  floor_area_id: 'text',
  valid_from: 'date',
  net_amount: 'amount',
  is_advance_payment: 'boolean',
  created_at: 'time',
  description: 'optional',
} as const;
type Column = keyof typeof types;
const columns = Object.keys(types) as Column[];
type Row = readonly (string | null)[];

const constants = `debit_type_key: { constant: basic_rent }, account_id: { constant: 1 }, vat_rate: { constant: 0 }, vat_amount: { constant: 0 },
      gross_amount: { constant: 0 }, payment_interval_key: { constant: monthly }, currency: { constant: EUR }, changed_at: { constant: "2024-01-01T00:00:00Z" }`;
const sourceOf = (origin: string, formats: string, names: readonly string[]) =>
  parseSource(
    `name: damage
tables:
  - table: contract_condition
    ${origin}
    formats: ${formats}
    primaryKey: ${names[0]}
    columns: { ${columns
      .slice(1)
      .map((column, index) => `${column}: ${names[index + 1]}`)
      .join(', ')},
      ${constants} }
`,
    'damage.yml',
  );

const german = ['Nr', 'Objekt', 'Fläche', 'Ab', 'Betrag', 'Vorauszahlung', 'Angelegt', 'Text'];
const csv = [
  german.join(';'),
  '1;7;01;01.03.2017;1.234,50;J;01.03.2017 08:15;"Haus ""Rose""; 3/4"" Rohr"',
  '0002;12;Größe;31.12.2024;-0,05;N;27.10.2024 01:59;',
  '3;7;"a b";29.02.2000;12,00-;J;31.03.2024 03:00;"zwei\r\nZeilen"',
  'MV-4;7;x;1.1.1999;99.999.999,99;n;01.01.1999 00:00; Zoë ',
  '',
].join('\r\n');

const objects = [
  { nr: 1, objekt: 7, unit: '01', ab: '2017-03-01', betrag: 1234.5, ja: true, at: '2017-03-01T08:15:00Z', text: 'Haus "Rose"' },
  { nr: 'MV-2', objekt: 12, unit: 'Größe', ab: '2024-12-31', betrag: -0.05, ja: false, at: '2024-12-31 23:59:59+01:00', text: null },
  {
    nr: 3,
    objekt: 7,
    unit: 'a b',
    ab: '2000-02-29',
    betrag: '12.00',
    ja: 'true',
    at: '2000-02-29T12:00:00.123456-03:30',
    text: 'zwei\nZeilen',
  },
];
const members = ['nr', 'objekt', 'unit', 'ab', 'betrag', 'ja', 'at', 'text'];

/** A real day as `YYYY-MM-DD`; undefined if there is none. */
const dayOf = (year: string, month: string, day: string): string | undefined => {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const lengths = [
    31,
    (Number(year) % 4 === 0 && Number(year) % 100 !== 0) || Number(year) % 400 === 0 ? 29 : 28,
    31,
    30,
    31,
    30,
    31,
    31,
    30,
    31,
    30,
    31,
  ];
  const isReal = Number(year) > 0 && Number(day) >= 1 && Number(day) <= (lengths[Number(month) - 1] ?? 0);
  return isReal ? text : undefined;
};

const berlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'medium' });
/** The instant of a local time: the first, if it occurs twice. */
const instantInBerlin = (local: string): string | undefined =>
  ['+02:00', '+01:00']
    .map((zone) => new Date(`${local.replace(' ', 'T')}${zone}`))
    .find((at) => !Number.isNaN(at.getTime()) && berlin.format(at) === local)
    ?.toISOString();

const isoTime = (text: string): string | undefined => {
  const [, year = '', month = '', day = '', time = '', zone = ''] =
    /^(\d{4})-(\d\d)-(\d\d)[T ]([0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)\s*(Z|[+-]\d\d(?::?\d\d)?)$/i.exec(text) ?? [];
  if (zone === '' || dayOf(year, month, day) === undefined || Number(time.slice(0, 2)) > 23) return undefined;
  const offset = /^z$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  const at = new Date(`${year}-${month}-${day}T${time}${offset}`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};

interface Form {
  readonly day: (text: string) => string | undefined;
  readonly time: (text: string) => string | undefined;
  /** As in PostgreSQL, digits may be missing on one side of the point. */
  readonly number: RegExp;
  readonly plain: (text: string) => string;
  readonly words: Readonly<Record<string, string>>;
}

const isoDay = (text: string): string | undefined => {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return dayOf(year, month, day);
};

const germanForm: Form = {
  day: (text) => {
    const [, day = '', month = '', year = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
    return year === '' ? isoDay(text) : dayOf(year, month, day);
  },
  time: (text) => {
    const [, day = '', hour = '00', minute = '00'] = /^(\S+?)(?: (\d{1,2}):(\d\d))?$/.exec(text) ?? [];
    const found = germanForm.day(day);
    return found === undefined || Number(hour) > 23 || Number(minute) > 59
      ? isoTime(text)
      : instantInBerlin(`${found} ${hour.padStart(2, '0')}:${minute}:00`);
  },
  number: /^(?=[+-]?,?\d)[+-]?(?:\d{1,3}(?:\.\d{3})+|\d*)(?:,\d*)?$|^(?=,?\d)(?:\d{1,3}(?:\.\d{3})+|\d*)(?:,\d*)? ?-$/,
  plain: (text) => `${text.endsWith('-') ? '-' : ''}${text.replace(/ ?-$/, '').replaceAll('.', '').replace(',', '.')}`,
  words: { j: 'true', n: 'false' },
};
const isoForm: Form = {
  day: isoDay,
  time: isoTime,
  number: /^[+-]?(?=\.?\d)\d*(?:\.\d*)?$/,
  plain: (text) => text,
  words: { true: 'true', t: 'true', 1: 'true', false: 'false', f: 'false', 0: 'false' },
};

/** The canonical number; undefined if it has other digits than the column. */
const numberOf = (plain: string, decimals: number, digits: number): string | undefined => {
  const [whole = '', fraction = ''] = plain.replace(/^[+-]/, '').split('.');
  const isWithin = whole.replace(/^0+/, '').length <= digits && fraction.replace(/0+$/, '').length <= decimals;
  return isWithin ? String(Number(plain) + 0) : undefined;
};

const foreign = [...Array(32).keys(), ...Array.from({ length: 33 }, (_, at) => 127 + at), 0xfffd].filter(
  (code) => ![9, 10, 13].includes(code),
);
const hasForeign = (text: string): boolean => [...text].some((character) => foreign.includes(character.codePointAt(0)!));

/** The value of a text; undefined if it has none of the column's type. */
const meaningOf = (column: Column, raw: string | null, form: Form): string | null | undefined => {
  const text = raw?.trim() ?? '';
  const type = types[column];
  // The load gives its time to rows without one.
  if (text === '') return type === 'optional' || type === 'time' ? null : undefined;
  if (hasForeign(text)) return undefined;
  if (type === 'key') return /^\d{1,16}$/.test(text) && Number(text) > 0 && Number(text) < 4e15 ? String(Number(text)) : 'assigned';
  if (type === 'date') return form.day(text);
  if (type === 'time') return form.time(text);
  if (type === 'boolean') return form.words[text.toLowerCase()];
  if (type === 'text' || type === 'optional') return text;
  if (!form.number.test(text)) return undefined;
  if (type === 'amount') return numberOf(form.plain(text), 2, 10);
  const value = numberOf(form.plain(text), 0, 10);
  return value !== undefined && Math.abs(Number(value)) <= 2 ** 31 - 1 ? value : undefined;
};

const rowOf = (texts: readonly (string | null)[], form: Form): Row | undefined => {
  const row = columns.map((column, index) => meaningOf(column, texts[index] ?? null, form));
  return row.includes(undefined) ? undefined : (row as Row);
};

const whole = <T>(rows: readonly (T | undefined)[]): readonly T[] | undefined =>
  rows.includes(undefined) ? undefined : (rows as readonly T[]);

/** The records of a strict CSV file; a line ends with CR, LF or both. */
const recordsOf = (text: string): string[][] | undefined => {
  const records: string[][] = [];
  const field = /("(?:[^"]|"")*"|[^";\r\n]*)(;|\r\n|\n|\r|$)/y;
  let record: string[] = [];
  for (let at = 0; at < text.length; at = field.lastIndex) {
    field.lastIndex = at;
    const [, value, end] = field.exec(text) ?? [];
    if (value === undefined || end === '') return undefined;
    record.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end === ';') continue;
    records.push(record);
    record = [];
  }
  return record.length > 0 ? undefined : records.filter((fields) => fields.some((value) => value.trim() !== ''));
};

const meaningOfCsv = (bytes: Buffer): readonly Row[] | undefined => {
  const [header = [], ...records] = recordsOf(new TextDecoder('windows-1252').decode(bytes, { stream: true })) ?? [];
  const names = header.map((name) => name.trim().replaceAll(/\s+/g, ' '));
  if (german.some((name) => !names.includes(name))) return undefined;
  return whole(
    records.map((fields) =>
      fields.length < names.length || fields.slice(names.length).some((value) => value !== '')
        ? undefined
        : rowOf(
            german.map((name) => fields[names.indexOf(name)]!),
            germanForm,
          ),
    ),
  );
};

/** The members of an object; undefined if one is there twice, which JSON.parse does not tell. */
const membersOf = (text: string, value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const names = text.replaceAll(/:\s*"(?:[^"\\]|\\.)*"/g, ':0').match(/"(?:[^"\\]|\\.)*"\s*:/g) ?? [];
  const isFlat = Object.values(value).every((one) => typeof one !== 'object' || one === null);
  return isFlat && names.length === Object.keys(value).length ? (value as Record<string, unknown>) : undefined;
};

const rowOfObject = (object: Readonly<Record<string, unknown>> | undefined): Row | undefined => {
  if (!object) return undefined;
  const texts = members.map((name) => (object[name] === undefined || object[name] === null ? null : String(object[name])));
  return texts.some((text) => text !== null && /\p{Surrogate}/u.test(text)) ? undefined : rowOf(texts, isoForm);
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

const meaningOfNdjson = (bytes: Buffer): readonly Row[] | undefined => {
  const lines = utf8
    .decode(bytes)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return whole(lines.map((line) => rowOfObject(membersOf(line, JSON.parse(line)))));
};

const meaningOfJson = (bytes: Buffer): readonly Row[] | undefined => {
  const text = utf8.decode(bytes);
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) return undefined;
  const rows = list.map((value) => rowOfObject(membersOf(JSON.stringify(value), value)));
  const names = text.replaceAll(/:\s*"(?:[^"\\]|\\.)*"/g, ':0').match(/"(?:[^"\\]|\\.)*"\s*:/g) ?? [];
  return names.length === list.reduce((sum, value) => sum + Object.keys(value ?? {}).length, 0) ? whole(rows) : undefined;
};

type Pick = (max: number) => number;
const inserted = [
  '"',
  "'",
  ';',
  ',',
  '\n',
  '\r',
  '\r\n',
  '.',
  '-',
  '0',
  ' ',
  '\uFEFF',
  'é',
  'Ã¤',
  '\0',
  '{',
  '}',
  '[',
  ':',
  '\\',
  '\\ud800',
  '\u00a0',
].map((text) => Buffer.from(text));
const onLines = (bytes: Buffer, change: (lines: string[]) => void): Buffer => {
  const lines = bytes.toString('latin1').split(/(?<=\n)/);
  change(lines);
  return Buffer.from(lines.join(''), 'latin1');
};
const damages: readonly ((bytes: Buffer, pick: Pick) => Buffer)[] = [
  (bytes, pick) => {
    const copy = Buffer.from(bytes);
    copy[pick(copy.length)] = pick(256);
    return copy;
  },
  (bytes, pick) => bytes.subarray(0, pick(bytes.length)),
  (bytes, pick) => bytes.subarray(pick(bytes.length)),
  (bytes, pick) => {
    const at = pick(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + pick(3))]);
  },
  (bytes, pick) => {
    const at = pick(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), inserted[pick(inserted.length)]!, bytes.subarray(at)]);
  },
  (bytes, pick) => onLines(bytes, (lines) => void lines.splice(pick(lines.length), 0, lines[pick(lines.length)]!)),
  (bytes, pick) => onLines(bytes, (lines) => void lines.splice(pick(lines.length), 1)),
  // A quote is lost, or doubled.
  (bytes, pick) => {
    const quotes = [...bytes.keys()].filter((at) => bytes[at] === 0x22);
    const at = quotes[pick(quotes.length)] ?? 0;
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(pick(2) === 0 ? at + 1 : at - 1)]);
  },
  (bytes) => Buffer.from(bytes.toString('utf8'), 'latin1'),
  (bytes) => Buffer.from(bytes.toString('latin1'), 'utf8'),
  (bytes) => Buffer.from(bytes.toString('latin1'), 'utf16le'),
];

const folder = mkdtempSync(join(tmpdir(), 'estate-damage-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The rows as the service reads them; undefined if they are refused. */
const rowsRead = async (source: ReturnType<typeof sourceOf>): Promise<readonly Row[] | undefined> => {
  try {
    return await withPreparedExport({ source, folder }, async ({ tables: [table], rejections }) => {
      rejections.throwIfAny();
      const at = columns.map((column) => table!.columns.indexOf(column) - 1);
      const rows: Row[] = [];
      for await (const page of table!.pages())
        for (const { key, values } of page.rows())
          rows.push(
            columns.map((column, index) => {
              const value = index === 0 ? String(key) : (values[at[index]!] ?? null);
              if (index === 0) return key >= 4e15 ? 'assigned' : String(key);
              if (value === null) return null;
              if (types[column] === 'time') return new Date(value).toISOString();
              return types[column] === 'amount' || types[column] === 'integer' ? String(Number(value) + 0) : value;
            }),
          );
      return rows;
    });
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
};

const western = Buffer.from(csv, 'latin1');
const germanFormats =
  '{ decimalChar: ",", groupChar: ".", trailingMinus: true, dateFormats: ["%d.%m.%Y", "%d.%m.%Y %H:%M"], timezone: Europe/Berlin, trueValues: [J], falseValues: [N] }';
const csvOrigin = 'encoding: windows-1252\n    dialect: { delimiter: ";" }';
const ndjson = Buffer.from(objects.map((one) => `${JSON.stringify(one)}\n`).join(''));
const json = Buffer.from(JSON.stringify(objects, null, 1));
const excelRows = [german, ...(recordsOf(csv) ?? []).slice(1)];
const undamaged = meaningOfCsv(western)!;
const orUndefined = (read: (bytes: Buffer) => readonly Row[] | undefined) => (bytes: Buffer) => {
  try {
    return read(bytes);
  } catch {
    return undefined;
  }
};

interface Sample {
  readonly name: string;
  readonly bytes: Buffer;
  readonly source: ReturnType<typeof sourceOf>;
  readonly meaning: (bytes: Buffer) => readonly Row[] | undefined;
  readonly share: number;
  readonly isPacked?: boolean;
}
const packed = { meaning: () => undamaged, share: 0.1, isPacked: true };
/** XML has one form of line ends. */
const undamagedXml = undamaged.map((row) => row.map((value) => (typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value)));
const samples: readonly Sample[] = [
  {
    name: 'a.csv',
    bytes: western,
    source: sourceOf(`path: a.csv\n    ${csvOrigin}`, germanFormats, german),
    meaning: orUndefined(meaningOfCsv),
    share: 0.4,
  },
  { name: 'a.ndjson', bytes: ndjson, source: sourceOf('path: a.ndjson', '{}', members), meaning: orUndefined(meaningOfNdjson), share: 0.2 },
  { name: 'a.json', bytes: json, source: sourceOf('path: a.json', '{}', members), meaning: orUndefined(meaningOfJson), share: 0.1 },
  { name: 'a.csv.gz', bytes: gzipSync(western), source: sourceOf(`path: a.csv.gz\n    ${csvOrigin}`, germanFormats, german), ...packed },
  {
    name: 'a.zip',
    bytes: zipOf([{ name: 'a.csv', bytes: western }]),
    source: sourceOf(`path: a.zip/a.csv\n    ${csvOrigin}`, germanFormats, german),
    ...packed,
  },
  {
    name: 'a.xlsx',
    bytes: workbookOf({ Tabelle1: excelRows }),
    source: sourceOf('path: a.xlsx', germanFormats, german),
    ...packed,
    meaning: () => undamagedXml,
  },
];

test.each(samples)('$name', async ({ name, bytes: undamagedBytes, source, meaning, share, isPacked = false }) => {
  const path = join(folder, name);
  writeFileSync(path, undamagedBytes);
  expect(await rowsRead(source)).toEqual(meaning(undamagedBytes));
  expect(meaning(undamagedBytes)!.length).toBeGreaterThan(2);
  const count = Math.ceil(cases * share);
  let read = 0;
  for (let round = 1; round <= count; round++) {
    const pick = seededRandom(seedOf(round) + name.length);
    let bytes = damages[pick(damages.length)]!(undamagedBytes, pick);
    if (pick(3) === 0 && bytes.length > 0) bytes = damages[pick(damages.length)]!(bytes, pick);
    writeFileSync(path, bytes);
    const rows = await rowsRead(source);
    if (!rows) continue;
    read++;
    expect(rows, `round ${round}: ${JSON.stringify(bytes.toString('latin1').slice(0, 1_000))}`).toEqual(meaning(bytes));
  }
  rmSync(path);
  // A packed file rarely survives, because its checksums show the damage.
  if (isPacked) expect(read).toBeLessThan(count / 2);
  else expect(read).toBeGreaterThan(0);
});
