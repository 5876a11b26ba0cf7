/**
 * Databases that differ only in what a scope hides. An answer that depends on hidden data differs between two of them.
 *
 * What a scope hides is written down here once more, without the program: personal columns by the marks of the catalogue, rows by
 * `property_id`, and the tables of persons.
 */
import { catalogue } from '../../src/catalogue/index.ts';
import type { PersonalClass } from '../../src/catalogue/personal.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import type { RawTable } from '../../src/catalogue/raw-table.ts';
import type { TestService } from '../support/service.ts';

export const schema = 'customer_nord';

/** What a world hides: personal columns of classes, and all properties but one. */
export interface Hidden {
  readonly classes: readonly PersonalClass[];
  readonly onlyProperty: number | undefined;
}

interface TableFacts {
  readonly kind: 'category' | 'raw';
  readonly name: string;
  readonly key: string;
  /** Columns whose text names nothing, so that it can be anything. */
  readonly texts: readonly string[];
  readonly personal: readonly (readonly [column: string, type: string, isPersonal: PersonalClass])[];
}

const categoryTables = [...catalogue.tables.values()].map(
  ({ name, key, columns, sort, unique, relations }): TableFacts => ({
    kind: 'category',
    name,
    key,
    texts: Object.entries(columns).flatMap(([column, { kind }]) =>
      kind === 'string' && ![key, ...sort, ...unique, ...Object.values(relations).map((each) => each.column)].includes(column)
        ? [column]
        : [],
    ),
    personal: Object.entries(columns).flatMap(([column, { kind, personal }]) => (personal ? [[column, kind, personal] as const] : [])),
  }),
);
const rawFacts = Object.entries<RawTable>(rawTables).map(
  ([name, { key, columns, unique, personal }]): TableFacts => ({
    kind: 'raw',
    name,
    key,
    texts: Object.entries(columns).flatMap(([column, type]) =>
      type.startsWith('text') && !unique.flat().includes(column) && !column.endsWith('_id') ? [column] : [],
    ),
    personal: Object.entries(personal).map(([column, each]) => [column, columns[column]!.split(' ')[0]!, each] as const),
  }),
);
export const tables: readonly TableFacts[] = [...categoryTables, ...rawFacts];

/** Tables of persons, who belong to no property. */
export const personTables = ['creditor', 'employees', 'owner', 'creditor_hdr', 'owner_hdr', 'person', 'staff_hdr'];
/** Tables that are the same for all properties. */
export const commonTables = ['kontenmapping', 'kontenmapping_ranges', 'catalog_value', 'index_value'];

/** The rows of other properties, as an SQL condition; undefined for a table without them. */
export const foreign = (name: string, own: number | readonly number[]): string | undefined => {
  if (commonTables.includes(name)) return undefined;
  if (personTables.includes(name)) return 'true';
  const properties = [own].flat().join();
  const other = `property_id not in (${properties})`;
  if (name === 'order_invoice')
    return `order_hdr_id not in (select order_hdr_id from ${schema}.order_hdr where property_id in (${properties}))`;
  return name === 'cost_center' ? `(${other} or property_id is null)` : other;
};

const run = (service: Pick<TestService, 'database'>, text: string) => service.database.pool.query(text);

/** Personal columns of the classes. */
const personalColumns = ({ personal }: TableFacts, classes: Hidden['classes']) => personal.filter(([, , each]) => classes.includes(each));

/** The statements that set columns to expressions, after the columns accept null. */
const setColumns = (on: string, values: readonly (readonly [column: string, value: string])[]): readonly string[] =>
  values.length === 0
    ? []
    : [
        `alter table ${on} ${values.map(([column]) => `alter ${column} drop not null`).join()}`,
        `update ${on} set ${values.map(([column, value]) => `${column} = ${value}`).join()}`,
      ];

/** Replaces everything hidden by values with `salt`. Other rows and columns stay. */
export const alter = async (service: TestService, { classes, onlyProperty }: Hidden, salt: string): Promise<void> => {
  for (const table of tables) {
    const { kind, name, key, texts } = table;
    const on = `${schema}.${name}`;
    const others = onlyProperty === undefined ? undefined : foreign(name, onlyProperty);
    if (others) await run(service, `delete from ${on} where (${others}) and hashtext(${key}::text || '${salt}') % 4 = 0`);
    const values = personalColumns(table, classes).map(([column, type]) => {
      const value = type === 'date' ? `date '2001-01-01' + length('${salt}') * 100` : `'canary-${salt}-${column}-' || ${key}::text`;
      // Every other row is null in one world and has a value in the other.
      return [column, `case when hashtext(${key}::text || '${salt}') % 3 = 0 then null else ${value} end`] as const;
    });
    for (const statement of setColumns(on, values)) await run(service, statement);
    if (!others) continue;
    const changes = texts.map((column) => `${column} = 'canary-${salt}-${column}'`);
    if (changes.length > 0) await run(service, `update ${on} set ${changes.join()} where ${others}`);
    await run(
      service,
      `update ${schema}._datasets set row_count = row_count + ${salt.length * 17} where kind = '${kind}' and name = '${name}'`,
    );
  }
  await run(service, `analyze`);
};

/** Removes everything hidden: what is left is all that the scope includes. */
export const strip = async (service: TestService, { classes, onlyProperty }: Hidden): Promise<void> => {
  // Invoices look at orders, so they go first.
  const inOrder = [...tables].sort((one, other) => Number(other.name === 'order_invoice') - Number(one.name === 'order_invoice'));
  for (const table of inOrder) {
    const { kind, name } = table;
    const on = `${schema}.${name}`;
    const others = onlyProperty === undefined ? undefined : foreign(name, onlyProperty);
    if (others) await run(service, `delete from ${on} where ${others}`);
    const values = personalColumns(table, classes).map(([column]) => [column, 'null'] as const);
    for (const statement of setColumns(on, values)) await run(service, statement);
    await run(
      service,
      `update ${schema}._datasets set row_count = (select count(*) from ${on}) where kind = '${kind}' and name = '${name}'`,
    );
  }
  await run(service, `analyze`);
};

export type Values = ReadonlyMap<string, readonly unknown[]>;

/** Some values of each column, by `table.column`, as JSON. An attacker may guess right. */
export const sampleValues = async (service: Pick<TestService, 'database'>): Promise<Values> => {
  const values = new Map<string, unknown[]>();
  for (const { name } of tables) {
    const { rows } = await run(service, `select to_jsonb(t) as row from (select * from ${schema}.${name} order by random() limit 25) t`);
    for (const { row } of rows as { row: Record<string, unknown> }[])
      for (const [column, value] of Object.entries(row)) {
        if (value === null) continue;
        const known = values.get(`${name}.${column}`) ?? [];
        known.push(typeof value === 'string' ? value.replace(/\+00:00$/, 'Z') : value);
        values.set(`${name}.${column}`, known);
      }
  }
  return values;
};
