/** The proposals for all lists of an export. What one list says helps the others: the numbers in one are the keys of another. */
import type { RawTableName } from '../../../catalogue/raw/index.ts';
import type { KeyPart } from '../../source-file.ts';
import { hasCompanies } from '../forms/contents.ts';
import type { ColumnProfile } from '../lists/profile.ts';
import { questionText } from '../question-texts.ts';
import type { ValueSigns } from '../signs/value-signs.ts';
import { splitCompositeValues } from './composite-values.ts';
import { withJournal } from './journal.ts';
import { accountColumn, type ColumnProposal, contractColumn, given, missingOf, type TableProposal } from './proposal.ts';
import { assignedTo, hasPerson, type KnownList, proposalOf, propose } from './propose.ts';
import { chargeFacts, hasVatIn, proposeRentRoll, vatQuestion } from './rent-roll.ts';
import { amountsOf } from './rent-roll-facts.ts';
import type { KeysOfLists } from './score.ts';

/** The keys of one column that proposals have. */
const keysOf = (proposals: ReadonlyMap<KnownList, readonly TableProposal[]>, signs: ValueSigns): KeysOfLists => {
  const keys = new Map<RawTableName, { list: string; column: ColumnProfile }[]>();
  for (const [{ name, profile }, tables] of proposals)
    for (const { table, key, columns } of tables) {
      const names = new Set<KeyPart>(key.length === 1 ? key : []);
      const own = columns.find(
        ({ target }) => target === `${table.replace(/_hdr$/, '')}_number` || target === 'account_number' || target === 'contract_number',
      );
      if (own) names.add(own.profile.name);
      for (const column of profile.columns)
        if (names.has(column.name)) keys.set(table, [...(keys.get(table) ?? []), { list: name, column }]);
    }
  // The number of a contract is also that of its account.
  for (const one of keys.get('tenancy_hdr') ?? []) keys.set('account', [...(keys.get('account') ?? []), one]);
  const tableOf = new Map([...proposals].flatMap(([{ name }, [first]]) => (first ? [[name, first.table] as const] : [])));
  const foreign = new Map(
    [...proposals.keys()].flatMap(({ profile, references }) =>
      profile.columns.flatMap((column) => {
        const table = tableOf.get(references?.get(column.name) ?? '');
        return table ? [[column, table] as const] : [];
      }),
    ),
  );
  return { get: (table) => keys.get(table), foreign, signs };
};

/** In a database, other tables refer to a unit by the primary key of its table, so that this is its number for them. */
const withKeyOfUnits = (
  { primaryKey = [], profile, name }: KnownList,
  proposal: TableProposal,
  lists: readonly KnownList[],
): TableProposal => {
  const key = profile.columns.find((column) => primaryKey.length === 1 && column.name === primaryKey[0]);
  const isReferred = lists.some(({ references }) => [...(references?.values() ?? [])].includes(name));
  if (proposal.table !== 'floor_area' || !key || !isReferred) return proposal;
  const own = given('floor_area_id', key, { from: key.name }, 'other tables refer to the unit by this key');
  return {
    ...proposal,
    columns: [own, ...proposal.columns.filter(({ target }) => target !== 'floor_area_id')],
    missing: proposal.missing.filter((target) => target !== 'floor_area_id'),
  };
};

/** The tenant of a contract, if the column has names and no numbers. */
const namedTenant = ({ table, columns }: TableProposal): ColumnProposal | undefined =>
  table === 'tenancy_hdr'
    ? columns.find(
        ({ target, profile }) => target === 'person_id' && (profile.contents.has('personName') || profile.contents.has('companyName')),
      )
    : undefined;

/** The number and the name of a person are in a list of other rows, and no list of persons is delivered. */
const withNumberedPerson = (list: KnownList, main: TableProposal, { profile }: ColumnProposal): readonly TableProposal[] => {
  const chosen = assignedTo('person', main.unassigned, new Map()).filter(({ target }) => target !== 'person_id');
  if (!chosen.some(({ target }) => target === 'last_name' || target === 'company_name')) return [main];
  const person = proposalOf(
    'person',
    chosen,
    list,
    `each row has a person with a number: ${chosen.map(({ column }) => column.name).join(', ')}`,
  );
  const used = new Set(chosen.map(({ column }) => column.name));
  return [
    {
      ...person,
      key: [profile.name],
      keyEvidence: 'a person repeats in each of its rows',
      question: undefined,
      unassigned: [],
      rows: { ...main.rows, latest: '$position' },
    },
    { ...main, unassigned: main.unassigned.filter(({ name }) => !used.has(name)) },
  ];
};

/** Nearly every party has a name. */
const namesParties = ({ contents, filled, rows }: ColumnProfile): boolean =>
  (contents.has('companyName') || contents.has('partyName')) && filled >= rows * 0.9;

/** The only column of names, whatever it is called. Companies have no contact persons that are companies. Other names repeat less than words. */
const namesIn = (columns: readonly ColumnProfile[]): ColumnProfile | undefined => {
  const all = columns.filter(namesParties);
  const companies = all.filter(({ sample, different }) => hasCompanies([...sample]) && different >= 3);
  const names = all.filter(({ filled, different }) => different >= filled * 0.8);
  const [one, ...others] = companies.length > 0 ? companies : names;
  return others.length === 0 ? one : undefined;
};

/** A list of creditors has the names and addresses of persons, too: the same rows fill both tables. */
const withPerson = (list: KnownList, main: TableProposal, hasOtherPersons: boolean): readonly TableProposal[] => {
  const named = namedTenant(main);
  if (!hasPerson.has(main.table)) return [main];
  const numbered = named ? undefined : main.columns.find(({ target }) => target === 'person_id');
  if (numbered) return hasOtherPersons ? [main] : withNumberedPerson(list, main, numbered);
  const free = [...main.unassigned, ...(named ? [named.profile] : [])];
  const chosen = [...assignedTo('person', free, new Map())].filter(({ target }) => target !== 'person_id');
  const names = named?.profile ?? namesIn(free.filter((one) => !chosen.some(({ column }) => column === one)));
  if (names && !chosen.some(({ target }) => target === 'last_name' || target === 'company_name'))
    chosen.push({ column: names, target: 'last_name', evidence: 'it has names and no numbers', score: 3 });
  if (!chosen.some(({ target }) => target === 'last_name' || target === 'company_name')) return [main];
  if (main.key.length === 0 || main.key[0] === '$row' || main.key.some((part) => typeof part !== 'string')) return [main];
  const keys = main.key as readonly string[];
  // Two lists of persons can have equal numbers, so that the number stands twice here.
  const key = hasOtherPersons && keys.length === 1 ? [keys[0]!, keys[0]!] : keys;
  const person = proposalOf('person', chosen, list, `its rows are also persons: ${chosen.map(({ column }) => column.name).join(', ')}`);
  const used = new Set(chosen.map(({ column }) => column.name));
  const keyColumn = list.profile.columns.find(({ name }) => name === keys[0])!;
  const rule = { ...(key.length === 1 ? { from: key[0]! } : { join: [...key] }), references: 'person' as const };
  const reference: ColumnProposal = { ...given('person_id', keyColumn, rule, 'the person of the row'), references: 'person' };
  const columns = [...main.columns.filter(({ target }) => target !== 'person_id'), reference];
  return [
    {
      ...person,
      key,
      keyEvidence:
        key.length > keys.length ? 'the number stands twice, because another list of persons can have the same one' : main.keyEvidence,
      question: undefined,
      unassigned: [],
      ...(main.rows && { rows: main.rows }),
    },
    {
      ...main,
      columns,
      unassigned: main.unassigned.filter(({ name }) => !used.has(name)),
      missing: missingOf(main.table, new Set(columns.map(({ target }) => target))),
    },
  ];
};

/** The charges of a contract in its own row, each in a column. */
const withCharges = (tables: readonly TableProposal[]): readonly TableProposal[] => {
  const main = tables.find(({ table }) => table === 'tenancy_hdr');
  const of = (target: string) => main?.columns.find((column) => column.target === target);
  const start = of('contract_start_date') ?? of('move_in_date');
  const contract = main && contractColumn(main.columns);
  const amounts = main ? amountsOf(main.unassigned) : [];
  if (!main || !start || !contract || amounts.length === 0 || main.key[0] === '$row') return tables;
  const hasVat = hasVatIn(main.unassigned);
  const shared = ['property_id', 'floor_area_id'].flatMap((target) => of(target) ?? []);
  const used = new Set(amounts.map(({ profile }) => profile));
  const charges = amounts.map((amount): TableProposal => {
    const columns = [...shared, accountColumn(contract.profile), ...chargeFacts(amount, start.profile, hasVat)];
    return {
      table: 'contract_condition',
      evidence: 'each contract has an amount of this kind',
      columns,
      key: [...main.key, { constant: amount.code }],
      keyEvidence: 'one amount of each contract',
      rows: { skip: [...(main.rows?.skip ?? []), { column: amount.profile.name, empty: true }] },
      unassigned: [],
      missing: missingOf('contract_condition', new Set(columns.map(({ target }) => target))),
    };
  });
  const base = hasVat ? charges[0]! : { ...charges[0]!, question: vatQuestion };
  return [
    ...tables.map((one) => (one === main ? { ...one, unassigned: one.unassigned.filter((column) => !used.has(column)) } : one)),
    base,
    ...charges.slice(1).map((charge) => ({ ...charge, variantOf: base })),
  ];
};

/** Where lists have buildings and no properties, a building can be the property. `buildings`: the columns of buildings of all lists. */
const withBuildingAsProperty = (proposal: TableProposal, buildings: readonly ColumnProposal[]): TableProposal => {
  if (!proposal.missing.includes('property_id')) return proposal;
  const own = proposal.columns.find(({ target }) => target === 'building_id');
  const [first] = buildings;
  const same = proposal.unassigned.find(
    (column) => column.filled > 0 && first && [...column.sample].every((value) => first.profile.sample.has(value)),
  );
  const building = own ?? (same && first && { ...first, profile: same });
  if (!building) return proposal;
  const property: ColumnProposal = {
    ...building,
    target: 'property_id',
    references: 'property_hdr',
    question: questionText('isProperty', { column: building.profile.name }),
  };
  return {
    ...proposal,
    columns: own ? proposal.columns.map((column) => (column === own ? property : column)) : [...proposal.columns, property],
    unassigned: proposal.unassigned.filter((column) => column !== same || own !== undefined),
    missing: proposal.missing.filter((target) => target !== 'property_id'),
  };
};

/** The raw tables that each list fills. */
export const proposeAll = (lists: readonly KnownList[], signs: ValueSigns): ReadonlyMap<KnownList, readonly TableProposal[]> => {
  const rolls = new Map(
    lists.flatMap((list) => {
      const roll = list.isTable ? undefined : proposeRentRoll(list.profile, { get: () => undefined, signs });
      return roll ? [[list, roll] as const] : [];
    }),
  );
  const pass = (keys: KeysOfLists) =>
    new Map(
      lists.map((list): [KnownList, readonly TableProposal[]] => {
        const roll = rolls.get(list);
        if (roll) return [list, roll];
        const one = propose(list, keys);
        return [list, one ? [one] : []];
      }),
    );
  let proposals = pass({ get: () => undefined, signs });
  for (let round = 0; round < 2; round++) proposals = pass(keysOf(proposals, signs));
  const hasBuildings = [...proposals.values()].some((tables) => tables.some(({ table }) => table === 'building'));
  proposals = new Map([...proposals].map(([list, tables]) => [list, tables.map((table) => withKeyOfUnits(list, table, lists))]));
  const buildings = [...proposals.values()]
    .flat()
    .flatMap(({ columns, missing }) => (missing.includes('property_id') ? columns.filter(({ target }) => target === 'building_id') : []));
  if (!hasBuildings)
    proposals = new Map([...proposals].map(([list, tables]) => [list, tables.map((table) => withBuildingAsProperty(table, buildings))]));
  const hasPersons = [...proposals.values()].some((tables) => tables.some(({ table }) => table === 'person'));
  const isAlone = [...proposals.values()].flat().filter(({ table }) => hasPerson.has(table)).length === 1;
  return new Map(
    [...proposals].map(([list, tables]) => {
      const [first] = tables;
      const own = first && tables.length === 1 ? withJournal(list, first) : tables;
      const all = own.length === 1 ? withCharges(withPerson(list, own[0]!, hasPersons || !isAlone)) : own;
      return [list, splitCompositeValues(all)];
    }),
  );
};
