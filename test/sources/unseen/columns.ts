/** The parts of invented programs: related rows of the world, and columns with their meaning. */
import type { Form } from './forms.ts';
import { text } from './forms.ts';
import type { Column, Related } from './layout.ts';
import type { Comparison } from './truth.ts';
import type { Canonical, Fields, World } from './world.ts';

type Options = Partial<Omit<Column, 'headers'>>;

const numeric =
  /(?:amount|_net|_gross|_sqm|_cost|_percent|_rate|total_|_share|balance|_value$|market_value|paid|net$|vat$|gross$|annual_|_count$|_year$|_months$|_days$|_level$)/;

const comparisonOf = (column: string): Comparison => (numeric.test(column) ? 'number' : 'text');

/** A column whose value is that of a column of a raw table, which is also its target. */
export const column = (headers: string | readonly string[], path: string, form: Form = text, options: Options = {}): Column => {
  const [table = '', name = ''] = path.split('.');
  return {
    headers: [headers].flat(),
    to: [path],
    also: [],
    compare: comparisonOf(name),
    value: (row) => row[table]?.[name] ?? null,
    form,
    nothing: '',
    isSummed: false,
    isOncePerGroup: false,
    ...options,
  };
};

/** A column that has no target. */
export const unused = (
  headers: string | readonly string[],
  value: (row: Related) => Canonical,
  form: Form = text,
  also: readonly string[] = [],
): Column => column(headers, '.', form, { to: [], also, compare: 'text', value });

/** How a program writes the identifiers of its objects. */
export interface Keys {
  readonly property: (id: string) => string;
  /** `id` such as 1001-0012. */
  readonly unit: (id: string) => string;
  readonly contract: (accountId: string) => string;
  readonly person: (id: string) => string;
  readonly creditor: (number: string) => string;
}

/** Targets that take the identifier of an object without being a fault. */
const takes = {
  property: ['*.property_id', 'property_hdr.short_name'],
  unit: ['*.floor_area_id', 'floor_area.unit_number', 'floor_area.fa_hdr_id'],
  contract: [
    '*.account_id',
    '*.current_account_id',
    'tenancy_hdr.contract_number',
    'tenancy_hdr.tenancy_hdr_id',
    'account.account_number',
    'person.person_id',
    'tenancy_hdr.person_id',
  ],
  person: ['*.person_id'],
  creditor: [
    '*.creditor_no',
    '*.creditor_id',
    'creditor_hdr.person_id',
    'creditor_hdr.account_id',
    'person.person_id',
    'account.account_id',
    'account.account_number',
  ],
} as const;

/** An identifier. `path`: where the world has it, and its target. */
export const keyColumn = (
  headers: string | readonly string[],
  kind: keyof Keys,
  keys: Keys,
  path: string,
  options: Options = {},
): Column => {
  const [table = '', name = ''] = path.split('.');
  return column(headers, path, text, {
    also: takes[kind],
    compare: 'key',
    value: (row) => {
      const id = row[table]?.[name];
      return id === null || id === undefined ? null : keys[kind](id);
    },
    ...options,
  });
};

const joined = (...parts: readonly (Canonical | undefined)[]): Canonical =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' ') || null;

/** The name of a person in one column. */
export const nameOf = (person: Fields | undefined, order: 'first last' | 'last, first' = 'last, first'): Canonical => {
  if (!person) return null;
  if (person.company_name) return person.company_name;
  return order === 'last, first' ? `${person.last_name}, ${person.first_name}` : joined(person.first_name, person.last_name);
};

/** A column with the whole name. `nobody`: the word for none. */
export const nameColumn = (headers: string | readonly string[], order: 'first last' | 'last, first', nobody = ''): Column =>
  column(headers, 'person.last_name', text, {
    to: ['person.last_name', 'person.company_name'],
    also: ['person.first_name', 'person.person_type_key', 'account.account_name', 'person.salutation'],
    compare: 'text',
    value: ({ person }) => nameOf(person, order),
    valueIn: {
      // The name of a company may be there, too.
      'person.last_name': ({ person }) => (person?.company_name ? undefined : (person?.last_name ?? null)),
      'person.first_name': ({ person }) => person?.first_name ?? null,
      'person.company_name': ({ person }) => person?.company_name ?? null,
    },
    nothing: nobody,
  });

/** How a program addresses people. The raw table has the words of the export. */
export const salutationColumn = (headers: readonly string[], [man, woman, company]: readonly [string, string, string]): Column =>
  column(headers, 'person.salutation', text, {
    value: ({ person }) => (person?.company_name ? company || null : person?.salutation === 'woman' ? woman : man),
  });

/** An amount without digits behind the point. */
export const roundedColumn = (headers: readonly string[], path: string, form: Form): Column => {
  const [table = '', name = ''] = path.split('.');
  return column(headers, path, form, {
    value: (row) => {
      const value = row[table]?.[name];
      return value === null || value === undefined ? null : String(Math.round(Number(value)));
    },
  });
};

/** Street and number in one column. */
export const streetColumn = (
  headers: string | readonly string[],
  table: string,
  options: Options & { readonly isNumberFirst?: boolean } = {},
): Column => {
  const { isNumberFirst = false, ...others } = options;
  return column(headers, `${table}.street`, text, {
    also: [`${table}.house_no`],
    compare: 'text',
    value: (row) => (isNumberFirst ? joined(row[table]?.house_no, row[table]?.street) : joined(row[table]?.street, row[table]?.house_no)),
    valueIn: { [`${table}.street`]: (row) => row[table]?.street ?? null, [`${table}.house_no`]: (row) => row[table]?.house_no ?? null },
    ...others,
  });
};

/** Postal code and city in one column. */
export const placeColumn = (
  headers: string | readonly string[],
  table: string,
  options: Options & { readonly isCityFirst?: boolean } = {},
): Column => {
  const { isCityFirst = false, ...others } = options;
  return column(headers, `${table}.city`, text, {
    to: [`${table}.city`, `${table}.postal_code`],
    compare: 'text',
    value: (row) => (isCityFirst ? joined(row[table]?.city, row[table]?.postal_code) : joined(row[table]?.postal_code, row[table]?.city)),
    valueIn: { [`${table}.city`]: (row) => row[table]?.city ?? null, [`${table}.postal_code`]: (row) => row[table]?.postal_code ?? null },
    ...others,
  });
};

const sqmPerSquareFoot = 0.09290304;

/** An area in square feet. Its true value is in square metres. */
export const squareFeetColumn = (headers: string | readonly string[], path: string, form: Form): Column => {
  const [table = '', name = ''] = path.split('.');
  const feet = (row: Related) => {
    const area = row[table]?.[name];
    return area === null || area === undefined ? null : String(Math.round(Number(area) / sqmPerSquareFoot));
  };
  return column(headers, path, form, {
    value: (row) => {
      const area = feet(row);
      return area === null ? null : (Number(area) * sqmPerSquareFoot).toFixed(2);
    },
    cell: (row, random) => {
      const area = feet(row);
      return area === null ? null : form(area, random);
    },
  });
};

/** A number in another unit than the target, such as cents. */
export const scaledColumn = (
  headers: string | readonly string[],
  path: string,
  factor: number,
  form: Form,
  options: Options = {},
): Column => {
  const [table = '', name = ''] = path.split('.');
  return column(headers, path, form, {
    cell: (row, random) => {
      const value = row[table]?.[name];
      return value === null || value === undefined ? null : form(String(Math.round(Number(value) * factor * 100) / 100), random);
    },
    ...options,
  });
};

const currentCharges = (world: World, account: string | undefined, unit: Canonical | undefined, asOf: string) => {
  const sums = new Map<string, number>();
  for (const one of world.rows('contract_condition')) {
    if (one.account_id !== account || one.floor_area_id !== unit || one.valid_from! > asOf || (one.valid_to ?? '9999') < asOf) continue;
    const kind = one.debit_type_key === 'parking_rent' ? 'basic_rent' : one.debit_type_key!;
    sums.set(kind, (sums.get(kind) ?? 0) + Number(one.net_amount));
  }
  return sums;
};

/** Units with their property, building, tenancy, tenant, and the charges of today in `rent`. */
export const unitRows = (world: World): Related[] =>
  world.rows('floor_area').map((unit): Related => {
    const tenancy = world.find('tenancy_hdr', 'account_id', unit.current_account_id);
    const charges = currentCharges(world, tenancy?.account_id ?? undefined, unit.floor_area_id, '2026-10-31');
    const amount = (kind: string): Canonical => (charges.has(kind) ? charges.get(kind)!.toFixed(2) : null);
    const total = [...charges.values()].reduce((sum, one) => sum + one, 0);
    return {
      floor_area: unit,
      property_hdr: world.find('property_hdr', 'property_id', unit.property_id),
      building: world.find('building', 'building_id', unit.building_id),
      tenancy_hdr: tenancy,
      person: world.find('person', 'person_id', tenancy?.person_id),
      rent: {
        basic: amount('basic_rent'),
        operating: amount('operating_cost_advance'),
        heating: amount('heating_cost_advance'),
        total: charges.size > 0 ? total.toFixed(2) : null,
        annual: charges.has('basic_rent') ? (charges.get('basic_rent')! * 12).toFixed(2) : null,
      },
    };
  });

/** A charge of the unit's tenancy. */
export const rentColumn = (
  headers: string | readonly string[],
  kind: 'basic' | 'operating' | 'heating',
  form: Form,
  options: Options = {},
): Column =>
  column(headers, `rent.${kind}`, form, {
    to: ['contract_condition.net_amount', 'contract_condition.gross_amount'],
    compare: 'number',
    isSummed: true,
    ...options,
  });

export const rowsWith = (
  world: World,
  table: Parameters<World['rows']>[0],
  related: Readonly<Record<string, (row: Fields, world: World) => Fields | undefined>> = {},
  count = Number.POSITIVE_INFINITY,
): Related[] =>
  world
    .rows(table)
    .slice(0, count)
    .map((row) => ({ [table]: row, ...Object.fromEntries(Object.entries(related).map(([name, find]) => [name, find(row, world)])) }));

/** Each tenant once. */
export const tenantRows = (world: World): Related[] => {
  const ids = new Set(world.rows('tenancy_hdr').map(({ person_id }) => person_id));
  return world.rows('person').flatMap((person): Related[] => (ids.has(person.person_id) ? [{ person }] : []));
};

export const related = {
  property: (row: Fields, world: World) => world.find('property_hdr', 'property_id', row.property_id),
  person: (row: Fields, world: World) => world.find('person', 'person_id', row.person_id),
  tenancy: (row: Fields, world: World) => world.find('tenancy_hdr', 'account_id', row.account_id),
  creditor: (row: Fields, world: World) =>
    world.find('creditor_hdr', 'creditor_id', row.creditor_id) ?? world.find('creditor_hdr', 'creditor_no', row.creditor_no),
  account: (row: Fields, world: World) => world.find('account', 'account_id', row.account_id),
  contraAccount: (row: Fields, world: World) => world.find('account', 'account_id', row.contra_account_id),
  document: (row: Fields, world: World) => world.find('booking_hdr', 'booking_hdr_id', row.booking_hdr_id),
  order: (row: Fields, world: World) => world.find('order_hdr', 'order_hdr_id', row.order_hdr_id),
} as const;

/** What all lists of creditors are: their tables, and a row for each creditor with its person. */
export const creditorList = (world: World) => ({
  tables: ['creditor_hdr', 'person', 'account'] as const,
  rows: rowsWith(world, 'creditor_hdr', { person: related.person }),
});

/** The number of a creditor. */
export const creditorColumn = (headers: readonly string[], keys: Keys): Column =>
  keyColumn(headers, 'creditor', keys, 'creditor_hdr.creditor_no', { to: ['creditor_hdr.creditor_no', 'creditor_hdr.creditor_id'] });
