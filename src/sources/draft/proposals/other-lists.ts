/**
 * Values of another list of the export: a debit has the property and the unit of its contract. Both lists have the number of the
 * contract, so the source joins them by it.
 */
import type { RawTableName } from '../../../catalogue/raw/index.ts';
import type { ColumnRule } from '../../source-file.ts';
import type { DraftedList, JoinedList } from '../drafted-list.ts';
import type { ColumnProfile } from '../lists/profile.ts';
import { factsOfColumn } from '../words/fit.ts';
import { type ColumnProposal, contractColumn, missingOf, type TableProposal } from './proposal.ts';

/** What a row has in common with the contract, unit or building that it names. */
const places: ReadonlySet<RawTableName> = new Set(['property_hdr', 'building', 'floor_area']);

const isPlace = (table: RawTableName, target: string): boolean => {
  const to = factsOfColumn(table, target).references?.table;
  return to !== undefined && places.has(to);
};

/** The one column that a proposal reads as it is. */
const plainName = ({ rule, profile }: ColumnProposal): string | undefined =>
  rule === undefined || (rule.from === profile.name && !rule.part && !rule.codes && !rule.apply) ? profile.name : undefined;

const tableNamedBy = ({ rule, references }: ColumnProposal): string | undefined => rule?.references ?? references;

/** The column of a list that identifies its rows for a column of another list. */
const keyFor = (column: ColumnProposal, { table, key, columns }: TableProposal, { profile }: DraftedList): ColumnProfile | undefined => {
  const named = tableNamedBy(column);
  const account = named === 'account' ? contractColumn(columns) : undefined;
  const name = account ? plainName(account) : named === table && key.length === 1 ? key[0] : undefined;
  const found = profile.columns.find((one) => one.name === name);
  return found?.isUnique ? found : undefined;
};

const isContained = ({ sample }: ColumnProfile, key: ColumnProfile): boolean =>
  sample.size > 0 && [...sample].every((value) => key.sample.has(value));

const joinsFor = (list: DraftedList, proposal: TableProposal, others: readonly DraftedList[]): JoinedList[] =>
  proposal.columns.flatMap((column) => {
    const own = plainName(column);
    if (own === undefined) return [];
    return others.flatMap((other) => {
      const [rows] = other.proposals;
      if (other === list || !rows || rows.table === proposal.table || rows.rows?.latest !== undefined) return [];
      const key = keyFor(column, rows, other);
      return key && isContained(column.profile, key) ? [{ as: rows.table, list: other, rows, on: [own, key.name] as const }] : [];
    });
  });

const inList = (as: string, names: ColumnRule['from']): ColumnRule['from'] =>
  Array.isArray(names) ? names.map((name) => `${as}.${name}`) : names === undefined ? undefined : `${as}.${names}`;

/** The column of the other list as a column of these rows. */
const joined = (column: ColumnProposal, { as, list, on }: JoinedList): ColumnProposal => {
  const { rule, profile } = column;
  return {
    ...column,
    profile: { ...profile, name: `${as}.${profile.name}` },
    ...(rule && { rule: { ...rule, ...(rule.from !== undefined && { from: inList(as, rule.from)! }) } }),
    evidence: `${list.name} has it for each ${on[0]}`,
    isDerived: true,
  };
};

const isReadAsItIs = ({ rule, question }: ColumnProposal): boolean =>
  question === undefined && rule?.join === undefined && rule?.sum === undefined && rule?.constant === undefined;

/** The proposal with the required places that another list has; undefined if none has them. */
const withPlaces = (
  list: DraftedList,
  proposal: TableProposal,
  others: readonly DraftedList[],
): [TableProposal, JoinedList] | undefined => {
  const wanted = proposal.missing.filter((target) => isPlace(proposal.table, target));
  if (wanted.length === 0 || proposal.variantOf) return undefined;
  const has = ({ rows }: JoinedList) =>
    rows.columns.filter((column) => wanted.includes(column.target) && isPlace(rows.table, column.target) && isReadAsItIs(column));
  const [join] = joinsFor(list, proposal, others)
    .filter((one) => has(one).length > 0)
    .sort((one, other) => has(other).length - has(one).length);
  if (!join) return undefined;
  const columns = [...has(join).map((column) => joined(column, join)), ...proposal.columns];
  return [{ ...proposal, columns, missing: missingOf(proposal.table, new Set(columns.map(({ target }) => target))) }, join];
};

/** The lists with the required places of other lists. A place that a list has itself stays. */
export const withOtherLists = (lists: readonly DraftedList[]): DraftedList[] =>
  lists.map((list) => {
    const bases = new Set(list.proposals.flatMap(({ variantOf }) => variantOf ?? []));
    const found = list.proposals.map((proposal) => (bases.has(proposal) ? undefined : withPlaces(list, proposal, lists)));
    return {
      ...list,
      proposals: list.proposals.map((proposal, index) => found[index]?.[0] ?? proposal),
      joins: new Map(found.flatMap((one) => (one ? [one] : []))),
    };
  });
