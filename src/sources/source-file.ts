/**
 * The source file: the description of an export, as YAML. Its terms are those of Frictionless Data where that has one.
 *
 * The schema here is the only definition. The types, the checks and the JSON Schema of `estate source schema` follow from it.
 */
import { type Document, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { severities } from '../catalogue/check-rule.ts';
import { OperatorError } from '../errors.ts';
import { formatNames } from '../sync/files/formats.ts';
import { shown } from '../sync/files/rejections.ts';
import { conditionProblems, encodingProblems, formatProblems } from './options.ts';

/** A duration, or a number for a counter. */
const lookbackPattern = /^\d{1,9}(?: (?:minutes?|hours?|days?))?$/;

const names = z.union([z.string(), z.array(z.string()).min(1)]);
const words = z.array(z.string());
const count = z.int().min(0);

const dialect = z.strictObject({
  delimiter: z.string().length(1).optional().describe('The character between fields. Default: a comma.'),
  quoteChar: z
    .union([z.string().length(1), z.literal(false)])
    .optional()
    .describe('The quote; false: the file has none. Default: "'),
  commentChar: z.string().optional().describe('Lines that begin with it are skipped.'),
  headerRows: z.array(z.int().min(1)).max(3).optional().describe('The numbers of the header lines; []: the file has none. Default: [1].'),
  header: words.optional().describe('The names of the columns of a file without a header.'),
  footerRows: count
    .optional()
    .describe('The number of rows at the end of every file that are no data. Where a sum may be absent, use skip.'),
  lastLineEnd: z.boolean().optional().describe('false: the last line has no line end. Default: true; without one, the file may be cut.'),
  sheetName: z.string().optional().describe('The sheet of a workbook. Default: the first.'),
});

const formats = z.strictObject({
  decimalChar: z.string().length(1).optional().describe('Default: a point.'),
  groupChar: z.string().length(1).optional().describe('The separator of thousands. Default: none.'),
  bareNumber: z.boolean().optional().describe('false: a currency or % may stand beside a number. Default: true.'),
  trailingMinus: z.boolean().optional().describe('true: 5,00- is a negative number.'),
  parentheses: z.boolean().optional().describe('true: (5,00) is a negative number.'),
  dateFormats: words.optional().describe('Formats of dates and times in the terms of strptime, such as %d.%m.%Y. Default: ISO 8601.'),
  timezone: z.string().optional().describe('The zone of times without one, such as Europe/Berlin.'),
  trueValues: words.optional().describe('Default: true, t, 1.'),
  falseValues: words.optional().describe('Default: false, f, 0.'),
  missingValues: words.optional().describe('The words for no value. Default: the empty text.'),
  trim: z.boolean().optional().describe('Remove blanks around values. Default: true.'),
});

const condition = z.strictObject({
  column: z.string(),
  in: z.array(z.string()).optional().describe('The value is one of these.'),
  startsWith: z.string().optional().describe('The value begins with this.'),
  empty: z.boolean().optional().describe('true: there is no value; false: there is one.'),
});

const step = z.union([
  z.enum(['upper', 'lower', 'digits', 'absolute', 'negate', 'date', 'year', 'month', 'firstOfMonth', 'unaccent']),
  z.strictObject({ left: count }),
  z.strictObject({ right: count }),
  z.strictObject({ padStart: z.int().min(1).max(40) }),
  z.strictObject({ round: z.int().min(0).max(6) }),
  z.strictObject({ multiply: z.number() }),
  z.strictObject({
    period: z.int().min(1).max(12).describe('The period of a day in a fiscal year that begins in this month.'),
  }),
  z.strictObject({ replace: z.string(), with: z.string() }),
]);

const parts = ['street', 'houseNumber', 'postalCode', 'city', 'salutation', 'firstName', 'lastName'] as const;

const unknownCodes = z.union([z.enum(['refuse', 'null', 'keep']), z.strictObject({ code: z.string() })]);

const question = z
  .string()
  .optional()
  .describe('A doubt of the draft. A check and a load refuse it: answer it in the source file, and remove this line.');

const columnRule = z.strictObject({
  from: names.optional().describe('The column of the export. Of several, the first with a value counts.'),
  join: words.optional().describe('Columns whose values are joined.'),
  separator: z.string().optional().describe('The text between joined values. Default: a blank.'),
  constant: z.union([z.string(), z.number(), z.boolean()]).optional().describe('The same value in every row.'),
  sum: words.min(1).optional().describe('Columns whose numbers are added. An empty one counts nothing.'),
  minus: words.optional().describe('Columns whose numbers are subtracted from the sum.'),
  percentOf: z.string().optional().describe('The sum in per cent of the number in this column, with two decimals.'),
  part: z.enum(parts).optional().describe('A part of an address or of a name.'),
  apply: z.array(step).optional().describe('Functions, in order.'),
  codes: z.record(z.string(), z.string()).optional().describe('The code for each value of the export.'),
  unknownCodes: unknownCodes.optional().describe('What becomes of values without a code. Default: refuse.'),
  default: z.union([z.string(), z.number(), z.boolean()]).optional().describe('The value if there is none.'),
  references: z.string().optional().describe('The raw table whose key the value is.'),
  referenceSource: z.string().optional().describe('The name of the source that fills that table. Default: this one.'),
  unresolved: z
    .enum(['refuse', 'null', 'assign'])
    .optional()
    .describe('What becomes of a reference without a target. assign: it gets a key, because the list is not exported. Default: refuse.'),
  formats: formats.optional(),
  question,
});

const column = z.union([z.string().describe('The column of the export.'), columnRule]);

const file = {
  path: z.string().optional().describe('A glob in the folder of the export; archive.zip/file.csv for a file in an archive.'),
  files: z.enum(['newest', 'all']).optional().describe('Which of several files count. all: in the order of their names.'),
  format: z.enum(formatNames).optional().describe('Default: by the end of the name. xlsx: a workbook of any kind.'),
  encoding: z.string().optional().describe('Such as windows-1252. Default: utf-8.'),
  dialect: dialect.optional(),
  formats: formats.optional(),
  database: z.string().optional().describe('The name of a database of this source.'),
  query: z.string().optional().describe('The query that reads the rows from the database.'),
  dbtable: z.string().optional().describe('The table of the database, if there is no query.'),
};

const list = z.strictObject({
  ...file,
  as: z.string().regex(/^\w+$/).describe('Columns of the list are called as.column.'),
  on: z.record(z.string(), z.string()).describe('The columns of the rows and those of the list that are equal.'),
  keep: z.array(condition).optional().describe('Rows of the list that meet all of these count.'),
  skip: z.array(condition).optional().describe('Rows of the list that meet one of these do not count.'),
});

const percent = z.number().min(0).max(100);

const invalidRows = z.union([
  z.literal('refuse'),
  z.strictObject({ skip: percent.describe('Per cent of the rows of the list, at most.') }),
  z.strictObject({ quarantine: percent.describe('Per cent of the rows of the list, at most.') }),
]);

const heading = z.strictObject({
  column: z.string().describe('The column in which the text stands.'),
  startsWith: z.string().describe('The beginning of the text, such as "Objekt: ".'),
  as: z.string().min(1).describe('The name of the column that has the rest of the text.'),
});

const keyPart = z.union([z.string(), z.strictObject({ constant: z.string() })]);

const table = z.strictObject({
  table: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,47}$/)
    .describe('The raw table.'),
  ...file,
  primaryKey: z
    .union([z.string(), z.array(keyPart).min(1)])
    .optional()
    .describe('The columns of the export that identify a row; $row if none do.'),
  columns: z.record(z.string(), column).describe('The source of each column of the raw table.'),
  keep: z.array(condition).optional().describe('Rows that meet all of these are loaded.'),
  skip: z.array(condition).optional().describe('Rows that meet one of these are not loaded.'),
  fillDown: words.optional().describe('Columns whose value stands once for a group of rows: an empty one has the value of the row above.'),
  headings: z
    .array(heading)
    .optional()
    .describe('Lines that begin a group. They are no rows, and their text is a column of the rows below them.'),
  question,
  lists: z.array(list).optional().describe('Further lists whose columns are added by a key.'),
  mode: z.enum(['full', 'upsert']).optional().describe('upsert: the export holds new and changed rows only. Default: full.'),
  invalidRows: invalidRows
    .optional()
    .describe(
      'What becomes of rows that cannot be loaded. skip: they are left out; quarantine: they are kept with their reason, and the next load tries them again. Default: refuse, which refuses the load.',
    ),
  maxDeleted: z
    .number()
    .min(0)
    .max(50)
    .optional()
    .describe('Per cent of the rows of the raw table that a load may delete without a person who confirms it.'),
  latest: z
    .string()
    .optional()
    .describe('Of rows with equal keys, the one with the highest value of this column counts; $position: the last.'),
  watermark: z
    .string()
    .optional()
    .describe('A column of a database: rows are read since its highest value of the last load. It needs mode: upsert.'),
  lookback: z
    .string()
    .regex(lookbackPattern)
    .optional()
    .describe('How far before the watermark rows are read again, such as 15 minutes or 2 days; for a counter, a number. Default: nothing.'),
  deletions: z
    .strictObject({ column: z.string(), values: words.min(1) })
    .optional()
    .describe('The column that marks deleted rows, and its values.'),
  shared: z.boolean().optional().describe('Another source fills the table, too. Each deletes only its own rows.'),
  newColumns: z.enum(['ignore', 'refuse']).optional().describe('Columns of the export that nothing reads. Default: ignore.'),
  knownColumns: words.optional().describe('Columns of the export that nothing need read. Another one that nothing reads is refused.'),
  missingColumns: z.enum(['refuse', 'null']).optional().describe('Columns that the export lacks. Default: refuse.'),
});

const checkName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,47}$/)
  .describe('The name of the new check, without its table.');

const check = z.union([
  z.strictObject({
    check: z.string().describe('The name of a check, or the kind of several, such as reference.'),
    severity: z.enum(['off', ...severities]).describe('off: it does not run; refuse: it stops a load before its data is visible.'),
  }),
  z.strictObject({
    name: checkName,
    table: z.string().describe('The category table.'),
    where: z.string().min(1).max(4_000).describe('Rows that meet this condition violate the check; in the grammar of where.'),
    severity: z.enum(severities).optional().describe('Default: warn.'),
    en: z.string().max(200).optional().describe('What the rows are, after their number.'),
    de: z.string().max(200).optional().describe('The same in German.'),
  }),
]);

const database = z.strictObject({
  type: z.enum(['postgres', 'mysql', 'sqlserver']),
  url: z
    .string()
    .describe(
      'The address. A name between $ and braces, as in a shell, is replaced by that variable of the environment. The name begins with SOURCE_.',
    ),
});

const source = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,40}$/)
    .describe('The name under which the keys of the source are kept.'),
  title: z.string().optional(),
  encoding: file.encoding,
  dialect: dialect.optional().describe('For all tables.'),
  formats: formats.optional().describe('For all tables.'),
  databases: z.record(z.string(), database).optional(),
  tables: z.array(table).min(1),
  checks: z.array(check).optional().describe('Checks that are switched off, set or added.'),
});

const databasesOnly = z.object({ databases: z.record(z.string(), database) });

export type Dialect = z.infer<typeof dialect>;
export type Formats = z.infer<typeof formats>;
export type Condition = z.infer<typeof condition>;
export type Step = z.infer<typeof step>;
export type Part = (typeof parts)[number];
export type ColumnRule = z.infer<typeof columnRule>;
export type HeadingRule = z.infer<typeof heading>;
export type ListRule = z.infer<typeof list>;
export type KeyPart = z.infer<typeof keyPart>;
export type TableRule = z.infer<typeof table>;
export type DatabaseRule = z.infer<typeof database>;
export type Source = z.infer<typeof source>;
/** Where rows come from: a file or a query. */
export type Origin = Pick<TableRule, keyof typeof file | 'watermark' | 'lookback'>;

/** The JSON Schema of source files. */
export const sourceSchema = (): object => z.toJSONSchema(source, { target: 'draft-2020-12' });

/** The options of the source, its tables, lists and columns that cannot be read, with their places. */
const unreadableOptions = (read: Source): string[] => [
  ...formatProblems('formats', read.formats),
  ...encodingProblems('source', read.encoding),
  ...read.tables.flatMap((rule, index) => {
    const place = `tables.${index} (${rule.table})`;
    const origins = [[place, rule] as const, ...(rule.lists ?? []).map((one) => [`${place}.lists.${one.as}`, one] as const)];
    return [
      ...origins.flatMap(([name, { formats: own, encoding, keep, skip }]) => [
        ...formatProblems(`${name}.formats`, own),
        ...encodingProblems(name, encoding),
        ...conditionProblems(`${name}.keep`, keep),
        ...conditionProblems(`${name}.skip`, skip),
      ]),
      ...Object.entries(rule.columns).flatMap(([name, one]) =>
        typeof one === 'string' ? [] : formatProblems(`${place}.columns.${name}.formats`, one.formats),
      ),
    ];
  }),
];

/** What the schema cannot say: each column has one origin of its value, and each table one origin of its rows. */
const contradictions = ({ tables, databases = {} }: Source): string[] => {
  const found: string[] = [];
  const checkOrigin = (name: string, { path, database: from, query, dbtable }: Origin) => {
    if ((path === undefined) === (from === undefined)) found.push(`${name}: either path or database is needed`);
    if (from !== undefined && !(from in databases)) found.push(`${name}: databases has no '${from}'`);
    if (from !== undefined && (query === undefined) === (dbtable === undefined)) found.push(`${name}: either query or dbtable is needed`);
  };
  const watched = new Set<string>();
  for (const rule of tables) {
    const { table: name, columns, lists = [], watermark, lookback, mode, database: from } = rule;
    checkOrigin(name, rule);
    for (const list of lists) checkOrigin(`${name}.${list.as}`, list);
    if (watermark !== undefined && (from === undefined || mode !== 'upsert'))
      found.push(`${name}: watermark needs database and mode: upsert, because the other rows stay`);
    if (lookback !== undefined && watermark === undefined) found.push(`${name}: lookback needs watermark`);
    if (watermark !== undefined && watched.has(name)) found.push(`${name}: one watermark is kept for each raw table`);
    if (watermark !== undefined) watched.add(name);
    for (const [target, rule] of Object.entries(columns)) {
      if (typeof rule === 'string') continue;
      const origins = [rule.from, rule.join, rule.sum, rule.constant].filter((origin) => origin !== undefined).length;
      if (origins > 1) found.push(`${name}.${target}: one of from, join, sum and constant is needed`);
      if (origins === 0 && rule.default === undefined) found.push(`${name}.${target}: from, join, sum, constant or default is needed`);
      if (rule.sum === undefined && (rule.minus ?? rule.percentOf) !== undefined)
        found.push(`${name}.${target}: minus and percentOf need sum`);
    }
  }
  return found;
};

/** A source file of more bytes, aliases, brackets or indentation is a mistake or an attack. */
const limits = { bytes: 256 * 1024, aliases: 100, brackets: 40, indentation: 200 } as const;

/** Refuses deep nesting before the parser sees it, because it ends the process. In flow style a level has a bracket, in block style a blank. */
const refuseDeep = (text: string, name: string): void => {
  let [brackets, indentation, isIndented] = [0, 0, true];
  for (const character of text) {
    if (character === '\n') [indentation, isIndented] = [0, true];
    else if (isIndented && ' \t-?:'.includes(character)) indentation++;
    else isIndented = false;
    if (character === '[' || character === '{') brackets++;
    else if (character === ']' || character === '}') brackets = Math.max(0, brackets - 1);
    if (brackets > limits.brackets || indentation > limits.indentation) throw new OperatorError(`${shown(name)} has too many levels.`);
  }
};

/** The first of two equal keys of a map. The parser compares each key with all others, so it does not look for them. */
const repeatedKey = (document: ReturnType<typeof parseDocument>): { readonly message: string; readonly at: number } | undefined => {
  let found: { message: string; at: number } | undefined;
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === '<<') continue;
        if (seen.has(key.value)) found ??= { message: 'Map keys must be unique', at: key.range?.[0] ?? 0 };
        seen.add(key.value);
      }
      return found && visit.BREAK;
    },
  });
  return found;
};

/** A YAML text with its comments. Throws an `OperatorError` if it is no YAML, or beyond the limits. */
export const yamlDocument = (text: string, name: string): Document.Parsed => {
  if (Buffer.byteLength(text) > limits.bytes) throw new OperatorError(`${shown(name)} has more than ${limits.bytes / 1024} KB.`);
  refuseDeep(text, name);
  const lines = new LineCounter();
  // Places in messages would cost the parser the whole text for each error.
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false, lineCounter: lines, merge: true });
  const [error] = document.errors;
  const problem = error ? { message: error.message, at: error.pos[0] } : repeatedKey(document);
  if (problem) {
    const { line, col } = lines.linePos(problem.at);
    throw new OperatorError(`${shown(name)}: ${shown(problem.message)} at line ${line}, column ${col}`);
  }
  return document;
};

/** The value of a YAML text. Throws an `OperatorError` as `yamlDocument`. */
const yamlValue = (text: string, name: string): unknown => {
  const document = yamlDocument(text, name);
  try {
    return document.toJS({ maxAliasCount: limits.aliases });
  } catch (thrown) {
    throw new OperatorError(`${shown(name)}: ${shown((thrown as Error).message)}`);
  }
};

/** Reads YAML in the form of a schema. Throws an `OperatorError` that names all errors with their place. */
const parseAs = <T>(schema: z.ZodType<T>, text: string, name: string): T => {
  const parsed = schema.safeParse(yamlValue(text, name));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(
    ({ path, message }) => `${shown(name)}, ${shown(path.join('.')) || 'the whole'}: ${shown(message)}`,
  );
  throw new OperatorError(lines.slice(0, 20).join('\n'));
};

/** Reads the text of a source file. Throws an `OperatorError` that names all errors with their place. */
export const parseSource = (text: string, name: string): Source => {
  const parsed = parseAs(source, text, name);
  const found = [...contradictions(parsed), ...unreadableOptions(parsed)];
  if (found.length > 0) throw new OperatorError(found.map((line) => `${shown(name)}: ${shown(line)}`).join('\n'));
  return parsed;
};

/** The databases of a source file that need not have tables yet. */
export const parseDatabases = (text: string, name: string): Readonly<Record<string, DatabaseRule>> =>
  parseAs(databasesOnly, text, name).databases;

/** Refuses a source that reaches more than the files beside it: it came over HTTP, and names a database or a variable. */
export const refuseReach = (source: Source, name: string): void => {
  const origins = source.tables.flatMap((rule) => [rule, ...(rule.lists ?? [])]);
  if (source.databases !== undefined || origins.some(({ database, query, dbtable }) => (database ?? query ?? dbtable) !== undefined))
    throw new OperatorError(
      `${shown(name)} names a database. A source that is uploaded reads the uploaded files only: use estate sync --source on the command line.`,
    );
  if (JSON.stringify(source).includes('${'))
    throw new OperatorError(
      `${shown(name)} names a variable of the environment. A source that is uploaded has none: use estate sync --source on the command line.`,
    );
};
