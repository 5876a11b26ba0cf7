/** Writes a draft as YAML, with the evidence of each proposal as a comment. */
import { type RawTableName, rawTables } from '../../catalogue/raw/index.ts';
import { neededValue } from '../needed-value.ts';
import { shown } from '../rejections.ts';
import type { DatabaseRule } from '../source-file.ts';
import type { DraftedList } from './drafted-list.ts';
import type { ColumnProfile } from './profile.ts';
import type { ColumnProposal, TableProposal } from './propose.ts';

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
  const some = values.length > 0 && look === 'text' ? `: ${values.slice(0, 6).join(', ')}` : '';
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

const ruleOf = (column: ColumnProposal, proposal: TableProposal, common: Export): Record<string, unknown> => {
  const rule: Record<string, unknown> = column.rule
    ? { ...column.rule }
    : { ...originOf(column, proposal, common), ...referenceOf(column, proposal.table, common.delivered) };
  if (column.codes && column.codes.size > 0) rule.codes = Object.fromEntries(column.codes);
  return rule;
};

const writeColumn = (column: ColumnProposal, proposal: TableProposal, common: Export): string[] => {
  const rule = ruleOf(column, proposal, common);
  const only = Object.keys(rule).length === 1 && 'from' in rule;
  const lines = [`      ${column.target}: ${only ? text(column.profile.name) : inline(rule)} ${comment(column.evidence)}`];
  if (column.unknown.length > 0)
    lines.push(`      ${comment(`unknown codes of ${column.target}, to add to codes: ${column.unknown.join(', ')}`)}`);
  return lines;
};

/** All columns of a table; of a variant, those that differ. */
const writeColumns = (table: TableProposal, common: Export): string[] => {
  const { variantOf: base, columns } = table;
  const written = (proposal: TableProposal) => proposal.columns.map((column) => writeColumn(column, proposal, common).join('\n'));
  if (base) {
    const shared = new Set(written(base));
    return ['    columns:', `      <<: *${base.table}`, ...written(table).filter((line) => !shared.has(line))];
  }
  return [
    `    columns:${common.bases.has(table) ? ` &${table.table}` : ''}`,
    ...columns.flatMap((column) => writeColumn(column, table, common)),
    ...table.missing.map(
      (column) => `      ${comment(`needs a value: ${neededValue(table.table, column)}. State its column or a constant.`)}`,
    ),
    ...table.unassigned.map((column) => `      ${comment(`not used: ${describe(column)}`)}`),
  ];
};

const writeTable = (list: DraftedList, table: TableProposal, common: Export): string[] => [
  `  ${comment(`${list.name} → ${table.table}: ${table.evidence}.`)}`,
  `  - table: ${table.table}`,
  ...Object.entries(settingsOf(list)).flatMap(([key, value]) => (key in common.settings ? [] : [`    ${key}: ${inline(value)}`])),
  `    primaryKey: ${inline(table.key.length === 1 ? table.key[0] : table.key)} ${comment(table.keyEvidence)}`,
  ...Object.entries(table.rows ?? {}).map(([key, value]) => `    ${key}: ${inline(value)}`),
  ...writeColumns(table, common),
];

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

/** The whole draft. */
export const writeDraft = (
  lists: readonly DraftedList[],
  unread: readonly string[],
  databases: Readonly<Record<string, DatabaseRule>> = {},
): string => {
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
    'name: export',
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
