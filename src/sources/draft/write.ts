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
}

const originOf = (column: ColumnProposal, { columns }: TableProposal, { areUnitsOfProperty }: Export): Record<string, unknown> => {
  const property = columns.find(({ target }) => target === 'property_id');
  if (column.target !== 'floor_area_id' || !areUnitsOfProperty || !property) return { from: column.profile.name };
  return { join: [property.profile.name, column.profile.name], separator: '-' };
};

const writeColumn = (column: ColumnProposal, proposal: TableProposal, common: Export): string[] => {
  const rule = { ...originOf(column, proposal, common), ...referenceOf(column, proposal.table, common.delivered) };
  if (column.codes && column.codes.size > 0) (rule as Record<string, unknown>).codes = Object.fromEntries(column.codes);
  const only = Object.keys(rule).length === 1 && 'from' in rule;
  const lines = [`      ${column.target}: ${only ? text(column.profile.name) : inline(rule)} ${comment(column.evidence)}`];
  if (column.unknown.length > 0)
    lines.push(`      ${comment(`unknown codes of ${column.target}, to add to codes: ${column.unknown.join(', ')}`)}`);
  return lines;
};

const writeTable = ({ origin, formats, name }: DraftedList, table: TableProposal, common: Export): string[] => [
  `  ${comment(`${name} → ${table.table}: ${table.evidence}.`)}`,
  `  - table: ${table.table}`,
  ...Object.entries({ ...origin, ...(Object.keys(formats).length > 0 && { formats }) }).map(
    ([key, value]) => `    ${key}: ${inline(value)}`,
  ),
  `    primaryKey: ${inline(table.key.length === 1 ? table.key[0] : table.key)} ${comment(table.keyEvidence)}`,
  '    columns:',
  ...table.columns.flatMap((column) => writeColumn(column, table, common)),
  ...table.missing.map(
    (column) => `      ${comment(`needs a value: ${neededValue(table.table, column)}. State its column or a constant.`)}`,
  ),
  ...table.unassigned.map((column) => `      ${comment(`not used: ${describe(column)}`)}`),
];

/** The whole draft. */
export const writeDraft = (
  lists: readonly DraftedList[],
  unread: readonly string[],
  databases: Readonly<Record<string, DatabaseRule>> = {},
): string => {
  const delivered = new Set<string>(lists.flatMap(({ proposal }) => (proposal ? [proposal.table] : [])));
  const proposed = lists.filter(({ proposal }) => proposal);
  const units = proposed.find(({ proposal }) => proposal?.table === 'floor_area')?.proposal;
  const unit = units?.columns.find(({ target }) => target === 'floor_area_id')?.profile;
  const common = {
    delivered,
    areUnitsOfProperty: unit !== undefined && !unit.isUnique && units?.columns.some(({ target }) => target === 'property_id') === true,
  };
  const lines = [
    '# A draft by estate source draft. Check each line; estate source schema describes the terms.',
    'name: export',
    ...(Object.keys(databases).length > 0
      ? ['databases:', ...Object.entries(databases).map(([name, rule]) => `  ${text(name)}: ${inline(rule)}`)]
      : []),
    'tables:',
    ...proposed.flatMap((list) => writeTable(list, list.proposal!, common)),
    ...lists.flatMap(({ name, proposal, profile }) =>
      proposal
        ? []
        : [comment(`${name}: no raw table is known for its columns ${profile.columns.map((column) => column.name).join(', ')}.`)],
    ),
    ...unread.map((line) => comment(`Not read: ${line}`)),
  ];
  return `${lines.join('\n')}\n`;
};
