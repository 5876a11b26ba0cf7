/**
 * Proposes the raw tables of a rent roll: a list with a line for each unit, which also has its property, its tenant and a column for each kind
 * of rent. Each fact of the list goes to its own table.
 */
import { type RawTableName, rawTables } from '../../catalogue/raw/index.ts';
import type { ColumnRule, KeyPart, TableRule } from '../source-file.ts';
import { codesByWord, codesOf, normalise } from './fit.ts';
import type { ColumnProfile, ListProfile } from './profile.ts';
import { type ColumnProposal, missingOf, type TableProposal } from './propose.ts';
import { type Amount, addressParts, amountsOf, type Fact, factsOf, hasPart } from './rent-roll-facts.ts';

/** A list that was recognised, with the columns that identify its parts. */
interface RentRoll {
  readonly facts: readonly Fact[];
  readonly amounts: readonly Amount[];
  readonly columnOf: (table: RawTableName, target: string) => ColumnProfile | undefined;
  readonly property: ColumnProfile;
  readonly unit: ColumnProfile;
  readonly tenant: ColumnProfile;
  readonly start: ColumnProfile | undefined;
  readonly contract: ColumnProfile | undefined;
  readonly keys: Readonly<Record<'property' | 'unit' | 'person' | 'contract', readonly string[]>>;
  /** The words for no tenant, such as Leerstand. */
  readonly vacantWords: readonly string[];
  /** Lines without a tenant. */
  readonly vacant: readonly NonNullable<TableRule['skip']>[number][];
}

/** Undefined if the list lacks a unit, a property, a tenant, something that describes the unit, or something of the contract. */
const recognise = (profiles: readonly ColumnProfile[]): RentRoll | undefined => {
  const amounts = amountsOf(profiles);
  const facts = factsOf(profiles.filter((profile) => !amounts.some((amount) => amount.profile === profile)));
  const columnOf = (table: RawTableName, target: string) => facts.find((fact) => fact.table === table && fact.target === target)?.profile;
  const unit = columnOf('floor_area', 'unit_number');
  const property = columnOf('property_hdr', 'property_id') ?? columnOf('property_hdr', 'street');
  const tenant = columnOf('person', 'last_name') ?? columnOf('person', 'company_name');
  const start = columnOf('tenancy_hdr', 'contract_start_date') ?? columnOf('tenancy_hdr', 'move_in_date');
  const isDescribed = ['area_sqm', 'usage_type_key', 'room_count'].some((target) => columnOf('floor_area', target) !== undefined);
  if (!unit || !property || !tenant || !isDescribed || (amounts.length === 0 && !start)) return undefined;
  const contract = columnOf('tenancy_hdr', 'contract_number');
  const number = columnOf('person', 'person_id');
  const namesOf = (...columns: readonly (ColumnProfile | undefined)[]) => columns.flatMap((column) => column?.name ?? []);
  const keys = {
    property: [property.name],
    unit: [property.name, unit.name],
    person: number ? [number.name] : namesOf(tenant, columnOf('person', 'first_name')),
    contract: contract ? [contract.name] : namesOf(property, unit, start),
  };
  const vacantWords = [...tenant.sample].filter((value) => codesByWord('occupancy_status').get(normalise(value)) === 'vacant');
  const vacant = [{ column: tenant.name, empty: true }, ...(vacantWords.length > 0 ? [{ column: tenant.name, in: vacantWords }] : [])];
  return { facts, amounts, columnOf, property, unit, tenant, start, contract, keys, vacantWords, vacant };
};

/** A column whose rule follows from the list. */
const given = (target: string, profile: ColumnProfile, rule: ColumnRule, evidence: string): ColumnProposal => ({
  target,
  profile,
  evidence,
  references: undefined,
  codes: undefined,
  unknown: [],
  rule,
});

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

const propertyColumns = (roll: RentRoll): ColumnProposal[] => {
  const { columnOf, property } = roll;
  const street = columnOf('property_hdr', 'street');
  const address = street && hasPart(street, 'street') && hasPart(street, 'houseNumber') ? street : undefined;
  const parts = Object.entries(addressParts).flatMap(([target, part]) => {
    const isFree = target === 'street' || columnOf('property_hdr', target) === undefined;
    return address && isFree && hasPart(address, part)
      ? [given(target, address, { from: address.name, part }, 'a part of the address')]
      : [];
  });
  return [
    ...listed(roll, 'property_hdr').filter(({ target }) => !(address && target === 'street')),
    ...parts,
    ...(street && !columnOf('property_hdr', 'property_name')
      ? [given('property_name', street, { from: street.name }, 'the list has no other name')]
      : []),
    ...(property !== street ? [given('short_name', property, { from: property.name }, 'the number stays readable')] : []),
  ];
};

/** The property and the unit of a line. */
const placeColumns = ({ property, unit, keys }: RentRoll): ColumnProposal[] => [
  given('property_id', property, refersTo('property_hdr', keys.property), 'the property of the line'),
  given('floor_area_id', unit, { join: [...keys.unit], separator: '-' }, 'the unit of the line'),
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

const accountColumn = ({ contract, unit, keys }: RentRoll): ColumnProposal =>
  given('account_id', contract ?? unit, { ...refersTo('account', keys.contract), unresolved: 'assign' }, 'each tenancy has an account');

const tenancyColumns = (roll: RentRoll): ColumnProposal[] => {
  const { contract, unit, tenant, keys } = roll;
  const number: ColumnRule = { join: [...keys.contract], separator: '-' };
  return [
    accountColumn(roll),
    ...(contract ? [] : [given('contract_number', unit, number, 'the list has no number of contracts')]),
    given('person_id', tenant, refersTo('person', keys.person), 'the tenant of the line'),
    ...placeColumns(roll),
    ...listed(roll, 'tenancy_hdr'),
  ];
};

const chargeColumns = (roll: RentRoll, { profile, code, word }: Amount): ColumnProposal[] => [
  ...placeColumns(roll),
  accountColumn(roll),
  given('debit_type_key', profile, { constant: code }, `its name has "${word}"`),
  ...(roll.start ? [given('valid_from', roll.start, { from: roll.start.name }, 'the list has no other day')] : []),
  given('net_amount', profile, { from: profile.name }, 'the amount of this kind'),
  given('gross_amount', profile, { from: profile.name }, 'equal to the net amount if there is no VAT'),
  ...listed(roll, 'floor_area').filter(({ target }) => target === 'area_sqm'),
  given('is_advance_payment', profile, { constant: code.endsWith('_advance') }, 'it follows from the kind'),
];

/** The tables of a rent roll; undefined if the list is none. */
export const proposeRentRoll = ({ columns: profiles, identifies }: ListProfile): readonly TableProposal[] | undefined => {
  const roll = recognise(profiles);
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
  const properties = tableOf('property_hdr', propertyColumns(roll), {
    key: keys.property,
    evidence: 'a property repeats in the line of each unit',
    rows: repeats,
  });
  const charges = amounts.map((amount) =>
    tableOf('contract_condition', chargeColumns(roll, amount), {
      key: [...new Set([...keys.contract, ...keys.unit]), { constant: amount.code }],
      evidence: 'one amount of each line',
      rows: { skip: [...vacant, { column: amount.profile.name, empty: true }] },
    }),
  );
  return [
    { ...properties, unassigned: profiles.filter(({ name }) => !used.has(name)) },
    tableOf('floor_area', unitColumns(roll), {
      key: keys.unit,
      evidence: 'units are numbered within their property',
      rows: identifies(keys.unit) ? {} : repeats,
    }),
    tableOf('person', listed(roll, 'person'), {
      key: keys.person,
      evidence: 'a tenant repeats in the line of each unit',
      rows: { skip: [...vacant], ...repeats },
    }),
    tableOf('tenancy_hdr', tenancyColumns(roll), {
      key: keys.contract,
      evidence: 'a load refuses a contract of several lines: with latest, the deposit and the balance of the others would be lost',
      rows: { skip: [...vacant] },
    }),
    ...charges.map((charge, index) => (index === 0 ? charge : { ...charge, variantOf: charges[0]! })),
  ];
};
