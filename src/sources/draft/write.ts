/** Writes a draft as YAML, with the evidence of each proposal as a comment. */
import { type RawTableName, rawTables } from '../../catalogue/raw/index.ts';
import { shown } from '../../sync/files/rejections.ts';
import type { DatabaseRule, TableRule } from '../source-file.ts';
import type { DraftedList, JoinedList } from './drafted-list.ts';
import { ownFormats } from './forms/common-formats.ts';
import type { ColumnProfile } from './lists/profile.ts';
import { neededValue } from './needed-value.ts';
import type { ColumnProposal, TableProposal } from './proposals/proposal.ts';

/** A text in YAML. JSON strings are strings of YAML. */
const text = (value: string): string =>
  /^[\p{L}_][\p{L}\d _.-]*$/u.test(value) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value) && value.trim() === value
    ? value
    : JSON.stringify(value);

const inline = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value === 'string') return text(value);
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${text(key)}: ${inline(one)}`)
      .join(', ')} }`;
  return String(value);
};

const comment = (words: string): string => `# ${shown(words, 400)}`;

const describe = ({ name, look, filled, rows, values }: ColumnProfile): string => {
  const some = values.length > 0 && look === 'text' ? `: ${values.slice(0, 12).join(', ')}` : '';
  return `${name} (${look}, ${filled} of ${rows} rows${some})`;
};

/** References to lists that the export lacks get keys of their own where the list need not exist. */
const referenceOf = (
  { references, target }: ColumnProposal,
  table: RawTableName,
  delivered: ReadonlySet<string>,
): Record<string, string> => {
  const isInteger = /^(?:integer|bigint)/.test((rawTables[table].columns as Readonly<Record<string, string>>)[target] ?? '');
  if (!references || !isInteger) return {};
  return { references, ...(!delivered.has(references) && { unresolved: 'assign' }) };
};

/** What the lists of the export have in common. */
interface Export {
  readonly delivered: ReadonlySet<string>;
  /** Units have numbers that are unique within their property only. */
  readonly areUnitsOfProperty: boolean;
  /** What the source states for all tables. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The proposals that have variants. */
  readonly bases: ReadonlySet<TableProposal>;
}

const originOf = (column: ColumnProposal, { columns }: TableProposal, { areUnitsOfProperty }: Export): Record<string, unknown> => {
  const property = columns.find(({ target }) => target === 'property_id');
  if (column.target !== 'floor_area_id' || !areUnitsOfProperty || !property) return { from: column.profile.name };
  return { join: [property.profile.name, column.profile.name], separator: '-' };
};

/** What nobody but a person knows of a column. */
const questionOfColumn = (column: ColumnProposal, { readings }: DraftedList): string | undefined => {
  const all = [column.question, readings.get(column)?.question].filter((question) => question !== undefined);
  return all.length > 0 ? all.join('. ') : undefined;
};

const ruleOf = (column: ColumnProposal, proposal: TableProposal, common: Export, list: DraftedList): Record<string, unknown> => {
  const rule: Record<string, unknown> = column.rule
    ? { ...column.rule }
    : { ...originOf(column, proposal, common), ...referenceOf(column, proposal.table, common.delivered) };
  // Without codes, a value would pass as it is.
  if (column.codes && (column.codes.size > 0 || column.unknown.length > 0)) rule.codes = Object.fromEntries(column.codes);
  if (column.question !== undefined) rule.question = column.question;
  const reading = list.readings.get(column);
  if (!reading) return rule;
  const formats = ownFormats(column, reading, list.formats);
  if (reading.apply && rule.apply === undefined) rule.apply = reading.apply;
  if (Object.keys(formats).length > 0) rule.formats = formats;
  const question = questionOfColumn(column, list);
  if (question !== undefined) rule.question = question;
  return rule;
};

const writeColumn = (column: ColumnProposal, proposal: TableProposal, common: Export, list: DraftedList): string[] => {
  const rule = ruleOf(column, proposal, common, list);
  const only = Object.keys(rule).length === 1 && typeof rule.from === 'string';
  const read = list.readings.get(column)?.evidence;
  const words = `${'question' in rule ? 'QUESTION; ' : ''}${column.evidence}${read ? `; ${read}` : ''}`;
  const lines = [`      ${column.target}: ${only ? text(String(rule.from)) : inline(rule)} ${comment(words)}`];
  if (column.unknown.length > 0)
    lines.push(
      `      ${comment(`unknown codes of ${column.target}, to add to codes: ${column.unknown.join(', ')}. It takes ${neededValue(proposal.table, column.target)}`)}`,
    );
  return lines;
};

/** All columns of a table; of a variant, those that differ. */
const writeColumns = (table: TableProposal, common: Export, list: DraftedList): string[] => {
  const { variantOf: base, columns } = table;
  const written = (proposal: TableProposal) => proposal.columns.map((column) => writeColumn(column, proposal, common, list).join('\n'));
  if (base) {
    const shared = new Set(written(base));
    return ['    columns:', `      <<: *${base.table}`, ...written(table).filter((line) => !shared.has(line))];
  }
  return [
    `    columns:${common.bases.has(table) ? ` &${table.table}` : ''}`,
    ...columns.flatMap((column) => writeColumn(column, table, common, list)),
    ...table.missing.map(
      (column) => `      ${comment(`needs a value: ${neededValue(table.table, column)}. State its column or a constant.`)}`,
    ),
    ...table.unassigned.map((column) => `      ${comment(`not used: ${describe(column)}`)}`),
  ];
};

/** Which rows of the list are rows of the table. Sums, headings and titles are none. */
const rowsOf = (
  { profile: { records } }: DraftedList,
  { rows = {} }: TableProposal,
): Pick<TableRule, 'skip' | 'latest' | 'fillDown' | 'headings'> => {
  const skip = [...records.skip, ...(rows.skip ?? [])];
  return {
    ...(records.fillDown.length > 0 && { fillDown: [...records.fillDown] }),
    ...(records.headings.length > 0 && { headings: [...records.headings] }),
    ...(rows.latest !== undefined && { latest: rows.latest }),
    ...(skip.length > 0 && { skip }),
  };
};

/** The doubt about the rows of a table. Those about the lines of a list are asked once. */
export const questionOf = ({ profile: { records }, proposals }: DraftedList, table: TableProposal): string | undefined => {
  const all = [...(proposals[0] === table ? records.questions : []), ...(table.question === undefined ? [] : [table.question])];
  return all.length > 0 ? all.join('. ') : undefined;
};

const writeTable = (list: DraftedList, table: TableProposal, common: Export): string[] => [
  `  ${comment(`${list.name} → ${table.table}: ${table.evidence}.`)}`,
  ...list.notes.map((note) => `  ${comment(`${list.name}: ${note}.`)}`),
  `  - table: ${table.table}`,
  ...Object.entries(settingsOf(list)).flatMap(([key, value]) => (key in common.settings ? [] : [`    ${key}: ${inline(value)}`])),
  `    primaryKey: ${inline(table.key.length === 1 ? table.key[0] : table.key)} ${comment(table.keyEvidence)}`,
  ...(list.joins.has(table) ? [`    lists: ${inline([joinOf(list.joins.get(table)!, common)])}`] : []),
  ...Object.entries(rowsOf(list, table)).map(([key, value]) => `    ${key}: ${inline(value)}`),
  ...(questionOf(list, table) === undefined ? [] : [`    question: ${inline(questionOf(list, table))} # QUESTION`]),
  ...writeColumns(table, common, list),
];

/** The other list of a table, with the rows of it that count. */
const joinOf = ({ as, list, rows, on: [own, other] }: JoinedList, common: Export): Record<string, unknown> => {
  const settings = Object.entries(settingsOf(list)).filter(([key]) => !(key in common.settings));
  const { skip } = rowsOf(list, rows);
  return { as, ...Object.fromEntries(settings), on: { [own]: other }, ...(skip && { skip }) };
};

const settingsOf = ({ origin, formats }: DraftedList): Record<string, unknown> => ({
  ...origin,
  ...(Object.keys(formats).length > 0 && { formats }),
});

/** Encoding, dialect and formats that all tables have in common. */
const commonSettings = (lists: readonly DraftedList[]): Record<string, unknown> => {
  const settings = lists.flatMap((list) => list.proposals.map(() => settingsOf(list)));
  const [first = {}, ...others] = settings;
  return Object.fromEntries(
    (['encoding', 'dialect', 'formats'] as const).flatMap((key) =>
      key in first && others.length > 0 && others.every((other) => JSON.stringify(other[key]) === JSON.stringify(first[key]))
        ? [[key, first[key]]]
        : [],
    ),
  );
};

/** What a person must answer, each with the list, the table and the target. */
export const questionsIn = (lists: readonly DraftedList[]): string[] =>
  lists.flatMap((list) =>
    list.proposals.flatMap((table) => {
      const place = `${list.name} → ${table.table}`;
      const whole = questionOf(list, table);
      const shared = new Set(table.variantOf?.columns);
      return [
        ...(whole === undefined ? [] : [`${place}: ${whole}`]),
        ...table.columns.flatMap((column) => {
          const question = shared.has(column) ? undefined : questionOfColumn(column, list);
          return question === undefined ? [] : [`${place}.${column.target}: ${question}`];
        }),
      ];
    }),
  );

/** The name of a source until a person names it. */
export const draftedName = 'export';

/** The whole draft. */
export const writeDraft = (
  lists: readonly DraftedList[],
  unread: readonly string[],
  databases: Readonly<Record<string, DatabaseRule>> = {},
): string => {
  const questions = questionsIn(lists).length;
  const delivered = new Set<string>(lists.flatMap(({ proposals }) => proposals.map(({ table }) => table)));
  const units = lists.flatMap(({ proposals }) => proposals).find(({ table }) => table === 'floor_area');
  const unit = units?.columns.find(({ target }) => target === 'floor_area_id')?.profile;
  const settings = commonSettings(lists);
  const common = {
    settings,
    bases: new Set(lists.flatMap(({ proposals }) => proposals.flatMap(({ variantOf }) => variantOf ?? []))),
    delivered,
    areUnitsOfProperty: unit !== undefined && !unit.isUnique && units?.columns.some(({ target }) => target === 'property_id') === true,
  };
  const lines = [
    '# A draft by estate source draft. Check each line; estate source schema describes the terms.',
    ...(questions > 0
      ? [
          `# ${questions === 1 ? 'A question is' : `${questions} questions are`} open. A check and a load refuse the source until each "question" is answered and removed.`,
        ]
      : []),
    `name: ${draftedName}`,
    ...(Object.keys(databases).length > 0
      ? ['databases:', ...Object.entries(databases).map(([name, rule]) => `  ${text(name)}: ${inline(rule)}`)]
      : []),
    ...Object.entries(settings).map(([key, value]) => `${key}: ${inline(value)}`),
    'tables:',
    ...lists.flatMap((list) => list.proposals.flatMap((table) => writeTable(list, table, common))),
    ...lists.flatMap(({ name, proposals, profile }) =>
      proposals.length > 0
        ? []
        : [comment(`${name}: no raw table is known for its columns ${profile.columns.map((column) => column.name).join(', ')}.`)],
    ),
    ...unread.map((line) => comment(`Not read: ${line}`)),
  ];
  return `${lines.join('\n')}\n`;
};
