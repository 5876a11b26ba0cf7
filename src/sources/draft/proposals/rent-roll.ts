/**
 * Proposes the raw tables of a rent roll: a list with a line for each unit, which also has its property, its tenant and a column for each kind
 * of rent. Each fact of the list goes to its own table.
 */
import { type RawTableName, rawTables } from '../../../catalogue/raw/index.ts';
import type { ColumnRule, KeyPart, TableRule } from '../../source-file.ts';
import { isMonthly, isYearly } from '../forms/settle.ts';
import type { ColumnProfile, ListProfile } from '../lists/profile.ts';
import { questionText } from '../question-texts.ts';
import { codesOf } from '../words/fit.ts';
import { isDoubtful, isVacant } from '../words/vacancies.ts';
import { meaningsOf } from '../words/words.ts';
import { tenantKind } from './derive.ts';
import { addressParts, hasPart, partOfColumn } from './parts-of-values.ts';
import { accountColumn, type ColumnProposal, given, missingOf, type TableProposal } from './proposal.ts';
import { type Amount, amountsOf, type Fact, factsOf } from './rent-roll-facts.ts';
import type { KeysOfLists } from './score.ts';

/** A list that was recognised, with the columns that identify its parts. */
interface RentRoll {
  readonly facts: readonly Fact[];
  readonly amounts: readonly Amount[];
  readonly columnOf: (table: RawTableName, target: string) => ColumnProfile | undefined;
  /** Undefined if the list has no property, because it is of one property. */
  readonly property: ColumnProfile | undefined;
  readonly unit: ColumnProfile;
  readonly tenant: ColumnProfile;
  readonly start: ColumnProfile | undefined;
  readonly contract: ColumnProfile | undefined;
  readonly keys: Readonly<Record<'property' | 'unit' | 'person' | 'contract', readonly string[]>>;
  /** The words for no tenant, such as Leerstand. */
  readonly vacantWords: readonly string[];
  /** A text in the place of a tenant that can mean that there is none. */
  readonly doubtful: string | undefined;
  readonly hasVat: boolean;
  /** Lines without a tenant. */
  readonly vacant: readonly NonNullable<TableRule['skip']>[number][];
}

/** How many of the rows have keys of their own. */
const distinctShare = ({ repeatsOf, rows }: ListProfile, names: readonly string[]): number => {
  const repeats = repeatsOf(names);
  return repeats ? 1 - repeats.rows / Math.max(1, rows) : 0;
};

/** Whether rows with the same text in one column have the same text in another one. */
const isConstantWithin = ({ textsOf }: ListProfile, group: string, name: string): boolean => {
  const known = new Map<string, string>();
  const values = textsOf(name);
  return textsOf(group).every((text, index) => {
    const value = values[index]!;
    const first = known.get(text) ?? value;
    known.set(text, first);
    return first === value;
  });
};

/** Undefined if the list lacks a unit, a tenant, something that describes the unit, or something of the contract. */
const recognise = (list: ListProfile, known: KeysOfLists): RentRoll | undefined => {
  const { columns: profiles } = list;
  const amounts = amountsOf(profiles);
  // What stays the same in most rows is no number of units.
  const isUnit = ({ table, target, profile }: Pick<Fact, 'table' | 'target' | 'profile'>) =>
    table !== 'floor_area' ||
    target !== 'unit_number' ||
    (!list.records.fillDown.includes(profile.name) && profile.different >= Math.min(2, profile.rows));
  const free = profiles.filter((profile) => !amounts.some((amount) => amount.profile === profile));
  const first = factsOf(free, known, isUnit);
  const place = first.find(
    ({ table, target }) => table === 'property_hdr' && ['property_id', 'property_name', 'street'].includes(target),
  )?.profile;
  // What differs within a property is no fact of it.
  const facts = factsOf(
    free,
    known,
    (fact) =>
      isUnit(fact) &&
      (fact.table !== 'property_hdr' || !place || fact.profile === place || isConstantWithin(list, place.name, fact.profile.name)),
  );
  const columnOf = (table: RawTableName, target: string) => facts.find((fact) => fact.table === table && fact.target === target)?.profile;
  const property =
    columnOf('property_hdr', 'property_id') ?? columnOf('property_hdr', 'property_name') ?? columnOf('property_hdr', 'street');
  const numbered = columnOf('floor_area', 'unit_number');
  const located = columnOf('floor_area', 'location') ?? columnOf('floor_area', 'description');
  const names = (column: ColumnProfile | undefined) => [property?.name, column?.name].flatMap((name) => name ?? []);
  // Without numbers, the location tells the units of a property apart. A number that several rows share names no unit.
  const unit =
    numbered && distinctShare(list, names(numbered)) >= 0.6 ? numbered : located && list.identifies(names(located)) ? located : undefined;
  const tenant = columnOf('person', 'last_name') ?? columnOf('person', 'company_name');
  const start = columnOf('tenancy_hdr', 'contract_start_date') ?? columnOf('tenancy_hdr', 'move_in_date');
  // A line without a tenant is a unit, too.
  const isDescribed =
    ['area_sqm', 'usage_type_key', 'room_count'].some((target) => columnOf('floor_area', target) !== undefined) ||
    (tenant !== undefined && tenant.filled < list.rows && amounts.length > 0 && start !== undefined && property !== undefined);
  if (!unit || !tenant || !isDescribed || (amounts.length === 0 && !start)) return undefined;
  if (!property && (amounts.length === 0 || !start)) return undefined;
  const contract = columnOf('tenancy_hdr', 'contract_number');
  const number = columnOf('person', 'person_id');
  const namesOf = (...columns: readonly (ColumnProfile | undefined)[]) => columns.flatMap((column) => column?.name ?? []);
  const contracts = contract ? [contract.name] : namesOf(property, unit, start);
  const keys = {
    property: namesOf(property),
    unit: namesOf(property, unit),
    // An equal name is no equal person, so a tenant without a number is known by the tenancy.
    person: number ? [number.name] : contracts,
    contract: contracts,
  };
  const vacantWords = [...new Set([...tenant.sample, ...tenant.missing])].filter(
    (value) => tenant.missing.includes(value) || isVacant(value),
  );
  const vacant = [{ column: tenant.name, empty: true }, ...(vacantWords.length > 0 ? [{ column: tenant.name, in: vacantWords }] : [])];
  return {
    facts,
    amounts,
    columnOf,
    property,
    unit,
    tenant,
    start,
    contract,
    keys,
    vacantWords,
    vacant,
    doubtful: [...tenant.sample].find(isDoubtful),
    hasVat: hasVatIn(profiles),
  };
};

const refersTo = (references: RawTableName, key: readonly string[]): ColumnRule => ({
  ...(key.length === 1 ? { from: key[0]! } : { join: [...key] }),
  references,
});

/** The facts of a table that are columns of the list. */
const listed = ({ facts }: RentRoll, of: RawTableName): ColumnProposal[] =>
  facts.flatMap(({ table, target, profile, evidence }) =>
    table === of && target !== rawTables[of].key
      ? [{ target, profile, evidence, references: undefined, ...codesOf(table, target, profile) }]
      : [],
  );

const propertyColumns = (roll: RentRoll, property: ColumnProfile): ColumnProposal[] => {
  const { columnOf } = roll;
  const street = columnOf('property_hdr', 'street');
  const address = street && hasPart(street, 'street') && hasPart(street, 'houseNumber') ? street : undefined;
  const parts = Object.entries(addressParts).flatMap(([target, part]) => {
    const isFree = target === 'street' || columnOf('property_hdr', target) === undefined;
    return address && isFree && hasPart(address, part) ? [partOfColumn(address, { target, part }, 'a part of the address')] : [];
  });
  return [
    ...listed(roll, 'property_hdr').filter(({ target }) => !(address && target === 'street')),
    ...parts,
    ...(columnOf('property_hdr', 'property_name')
      ? []
      : [given('property_name', street ?? property, { from: (street ?? property).name }, 'the list has no other name')]),
    ...(property !== street ? [given('short_name', property, { from: property.name }, 'the number stays readable')] : []),
  ];
};

/** The property and the unit of a line. */
const placeColumns = ({ property, unit, keys }: RentRoll): ColumnProposal[] => [
  ...(property ? [given('property_id', property, refersTo('property_hdr', keys.property), 'the property of the line')] : []),
  given(
    'floor_area_id',
    unit,
    keys.unit.length > 1 ? { join: [...keys.unit], separator: '-' } : { from: unit.name },
    'the unit of the line',
  ),
];

const unitColumns = (roll: RentRoll): ColumnProposal[] => {
  const { columnOf, tenant, vacantWords } = roll;
  const codes = Object.fromEntries(vacantWords.map((word) => [word, 'vacant']));
  const occupancy: ColumnRule = { from: tenant.name, codes, unknownCodes: { code: 'let' }, default: 'vacant' };
  return [
    ...placeColumns(roll),
    ...listed(roll, 'floor_area'),
    ...(columnOf('floor_area', 'occupancy_status_key')
      ? []
      : [given('occupancy_status_key', tenant, occupancy, 'a line with a tenant is let')]),
  ];
};

const accountOf = ({ contract, unit, keys }: RentRoll): ColumnProposal =>
  accountColumn(contract ?? unit, refersTo('account', keys.contract));

const tenancyColumns = (roll: RentRoll): ColumnProposal[] => {
  const { contract, unit, tenant, keys } = roll;
  const usage = roll.columnOf('floor_area', 'usage_type_key');
  const number: ColumnRule = keys.contract.length > 1 ? { join: [...keys.contract], separator: '-' } : { from: keys.contract[0]! };
  return [
    accountOf(roll),
    ...(contract ? [] : [given('contract_number', unit, number, 'the list has no number of contracts')]),
    given('person_id', tenant, refersTo('person', keys.person), 'the tenant of the line'),
    ...placeColumns(roll),
    ...listed(roll, 'tenancy_hdr'),
    ...(roll.columnOf('tenancy_hdr', 'tenant_type_key') || !usage ? [] : [tenantKind(usage) ?? []].flat()),
    ...(roll.columnOf('tenancy_hdr', 'contract_start_date') || !roll.start
      ? []
      : [given('contract_start_date', roll.start, { from: roll.start.name }, 'the list has no other day on which the contract begins')]),
  ];
};

/** Whether a list has VAT: then it is part of the charges, and nobody knows of which. */
export const hasVatIn = (profiles: readonly ColumnProfile[]): boolean =>
  profiles.some(({ name }) => meaningsOf(name)[0]?.concepts.has('vat') === true);

/** What a column of amounts says of a charge. `hasVat`: the list has a column of VAT. */
export const chargeFacts = ({ profile, code, word }: Amount, start: ColumnProfile | undefined, hasVat: boolean): ColumnProposal[] => [
  given('debit_type_key', profile, { constant: code }, `its name has "${word}"`),
  ...(start ? [given('valid_from', start, { from: start.name }, 'the list has no other day')] : []),
  given('net_amount', profile, { from: profile.name }, 'the amount of this kind'),
  ...(hasVat
    ? []
    : [
        given('vat_rate', profile, { constant: 0 }, 'the list has no VAT'),
        given('vat_amount', profile, { constant: 0 }, 'the list has no VAT'),
        given('gross_amount', profile, { from: profile.name }, 'without VAT, it is the net amount'),
      ]),
  ...(isYearly(profile.name) ? [given('payment_interval_key', profile, { constant: 'annual' }, 'its name says so')] : []),
  ...(isMonthly(profile.name) ? [given('payment_interval_key', profile, { constant: 'monthly' }, 'its name says so')] : []),
  given('is_advance_payment', profile, { constant: code.endsWith('_advance') }, 'it follows from the kind'),
];

const chargeColumns = (roll: RentRoll, amount: Amount): ColumnProposal[] => [
  ...placeColumns(roll),
  accountOf(roll),
  ...chargeFacts(amount, roll.start, roll.hasVat),
  ...listed(roll, 'floor_area').filter(({ target }) => target === 'area_sqm'),
];

export const vatQuestion = questionText('noVat');

/** The tables of a rent roll; undefined if the list is none. */
export const proposeRentRoll = (list: ListProfile, known: KeysOfLists): readonly TableProposal[] | undefined => {
  const { columns: profiles, identifies } = list;
  const roll = recognise(list, known);
  if (!roll) return undefined;
  const { keys, vacant, amounts } = roll;
  const tableOf = (
    table: RawTableName,
    columns: readonly ColumnProposal[],
    { key, evidence, rows }: { readonly key: readonly KeyPart[]; readonly evidence: string; readonly rows?: TableProposal['rows'] },
  ): TableProposal => ({
    table,
    evidence: 'it is a rent roll, and this is a part of each line',
    columns,
    key,
    keyEvidence: evidence,
    ...(rows && { rows }),
    unassigned: [],
    missing: missingOf(table, new Set(columns.map(({ target }) => target))),
  });
  const repeats = { latest: '$position' };
  const used = new Set([...roll.facts, ...amounts].map(({ profile }) => profile.name));
  const listedUnits = tableOf('floor_area', unitColumns(roll), {
    key: keys.unit,
    evidence: roll.property ? 'units are numbered within their property' : 'the list is of one property',
    rows: identifies(keys.unit) ? {} : repeats,
  });
  const units =
    roll.doubtful === undefined
      ? listedUnits
      : {
          ...listedUnits,
          question: questionText('isTenant', { column: roll.tenant.name, value: roll.doubtful }),
        };
  const unassigned = profiles.filter(({ name }) => !used.has(name));
  const properties =
    roll.property &&
    tableOf('property_hdr', propertyColumns(roll, roll.property), {
      key: keys.property,
      evidence: 'a property repeats in the line of each unit',
      rows: repeats,
    });
  const chargeOf = (amount: Amount) =>
    tableOf('contract_condition', chargeColumns(roll, amount), {
      key: [...new Set([...keys.contract, ...keys.unit]), { constant: amount.code }],
      evidence: 'one amount of each line',
      rows: { skip: [...vacant, { column: amount.profile.name, empty: true }] },
    });
  const [first, ...others] = amounts.map(chargeOf);
  const base = first && (roll.hasVat ? first : { ...first, question: vatQuestion });
  const charges = base ? [base, ...others.map((charge) => ({ ...charge, variantOf: base }))] : [];
  return [
    ...(properties ? [{ ...properties, unassigned }, units] : [{ ...units, unassigned }]),
    tableOf('person', listed(roll, 'person'), {
      key: keys.person,
      evidence:
        keys.person === keys.contract
          ? 'an equal name is no equal person, so a tenant is known by the tenancy'
          : 'a tenant repeats in the line of each unit',
      rows: { skip: [...vacant], ...repeats },
    }),
    tableOf('tenancy_hdr', tenancyColumns(roll), {
      key: keys.contract,
      evidence: 'a load refuses a contract of several lines: with latest, the deposit and the balance of the others would be lost',
      rows: { skip: [...vacant] },
    }),
    ...charges,
  ];
};
