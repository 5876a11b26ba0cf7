/** The columns that identify the rows of a list. */

import { type RawTableName, rawTables } from '../../../catalogue/raw/index.ts';
import type { RawTable } from '../../../catalogue/raw-table.ts';
import type { ColumnProfile, ListProfile } from '../lists/profile.ts';
import { questionText } from '../question-texts.ts';
import { meaningsOf } from '../words/words.ts';
import type { ColumnProposal, TableProposal } from './proposal.ts';

/** The numbers by which people call the rows of a table. */
export const ownNumbers: { readonly [Table in RawTableName]?: keyof (typeof rawTables)[Table]['columns'] } = {
  creditor_hdr: 'creditor_no',
  owner_hdr: 'owner_no',
  staff_hdr: 'staff_no',
  floor_area: 'unit_number',
  tenancy_hdr: 'contract_number',
  account: 'account_number',
  order_hdr: 'order_no',
  report_hdr: 'report_no',
};

type Key = Pick<TableProposal, 'key' | 'keyEvidence' | 'question'>;

const isWhole = ({ filled, rows, look }: ColumnProfile): boolean => filled === rows && (look === 'integer' || look === 'text');

/** Columns that may be part of a key: no amounts, no free text. */
const isKeyPart = ({ target, profile }: ColumnProposal): boolean =>
  isWhole(profile) || (profile.filled === profile.rows && target === 'valid_from');

/** Names of numbers, also of columns without a target: `ME-Nr.`, `Beleg`, `Pos`, `contract no`. */
const namesNumber = (name: string): boolean =>
  /(?:nr|no|num|nummer|number|id|key|code|pos|position|beleg|document|vertrag|contract|objekt|liegenschaft|property)\.?$/i.test(name) ||
  meaningsOf(name)[0]?.concepts.has('number') === true;

/** Pairs and triples of columns, in order. */
const combinations = (names: readonly string[]): readonly (readonly string[])[] => {
  const pairs = names.flatMap((first, at) => names.slice(at + 1).map((second) => [first, second]));
  const triples = pairs.flatMap((pair) => names.slice(names.indexOf(pair[1]!) + 1).map((third) => [...pair, third]));
  return [...pairs, ...triples];
};

/** An amount that changes has a further row from another day, although this export may have one row only. */
const withDay = (names: readonly string[], columns: readonly ColumnProposal[]): readonly string[] => {
  const day = columns.find((column) => column.target === 'valid_from' && isKeyPart(column))?.profile.name;
  return day === undefined || names.includes(day) ? names : [...names, day];
};

const number = (value: number): string => value.toLocaleString('en');

/** A key that few rows repeat. The rows are named, because one of them would be lost or the load is refused. */
const nearlyUnique = (names: readonly string[], { repeatsOf, rows }: ListProfile): Key | undefined => {
  const repeats = repeatsOf(names);
  if (!repeats || repeats.rows === 0 || repeats.rows > Math.max(3, rows * 0.02) || rows < 10) return undefined;
  const [unique, all, repeated] = [number(rows - repeats.rows), number(rows), number(repeats.rows)];
  const lines = repeats.lines.join(', ');
  return {
    key: names,
    keyEvidence: `${unique} of ${all} rows are unique; ${repeated} repeat a key: line ${lines}`,
    question: questionText('repeatedKey', { unique, rows: all, repeats: repeated, lines }),
  };
};

/** A key from the column that the target names, otherwise from columns that identify a row together. */
export const keyOf = (table: RawTableName, columns: readonly ColumnProposal[], list: ListProfile, stated?: readonly string[]): Key => {
  if (stated && stated.length > 0) return { key: stated, keyEvidence: 'the primary key of the table in the database' };
  const { columns: profiles, identifies } = list;
  const { key, unique }: RawTable = rawTables[table];
  const own = [key, ...unique.flatMap((names) => (names.length === 1 ? names : []))];
  for (const target of own) {
    const found = columns.find((column) => column.target === target && column.profile.isUnique);
    if (found) return { key: [found.profile.name], keyEvidence: 'its values are unique, and it names the row' };
  }
  for (const target of own) {
    const found = columns.find((column) => column.target === target && !column.rule);
    const nearly = found && nearlyUnique([found.profile.name], list);
    if (nearly) return nearly;
  }
  const assigned = new Set(columns.map(({ profile }) => profile.name));
  const inOrder = (names: readonly string[]) => profiles.map(({ name }) => name).filter((name) => names.includes(name));
  const parts = [...new Set(columns.filter(isKeyPart).map(({ profile }) => profile.name))].slice(0, 7);
  const together = (names: readonly string[]): Key => ({
    key: table === 'contract_condition' ? withDay(names, columns) : names,
    keyEvidence: 'these columns identify each row together, in this export',
  });
  // The number of a unit within its property says more than the number of its meter.
  const called = columns.find(({ target, profile }) => target === ownNumbers[table] && isWhole(profile) && !profile.isUnique)?.profile.name;
  const withNumber =
    called === undefined ? undefined : combinations(inOrder(parts)).find((names) => names.includes(called) && identifies(names));
  if (withNumber) return together(withNumber);
  const first = profiles.find(
    ({ name, isUnique, look }) => isUnique && !assigned.has(name) && (look === 'integer' || (look === 'text' && namesNumber(name))),
  );
  if (first) return { key: [first.name], keyEvidence: 'its values are unique, and it has no other target' };
  const named = columns.find(({ target, profile }) => profile.isUnique && target === ownNumbers[table] && isWhole(profile));
  if (named) return { key: [named.profile.name], keyEvidence: 'its values are unique, and it is called a number' };
  const numbered = profiles.filter((each) => namesNumber(each.name) && isWhole(each)).map(({ name }) => name);
  const groups = [parts, [...new Set([...numbered, ...parts])].slice(0, 9)].map((names) => combinations(inOrder(names)));
  const identifying = groups.flat().find(identifies);
  if (identifying) return together(identifying);
  const second = profiles.find(({ name, isUnique, look }) => isUnique && !assigned.has(name) && look === 'text');
  if (second) return { key: [second.name], keyEvidence: 'its values are unique, and it has no other target' };
  const several = combinations(inOrder(numbered.slice(0, 4)));
  for (const names of [...numbered.map((name) => [name]), ...several]) {
    const nearly = nearlyUnique(names, list);
    if (nearly) return nearly;
  }
  return { key: ['$row'], keyEvidence: 'nothing identifies a row, so a changed row is a new row' };
};
