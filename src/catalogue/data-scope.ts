/**
 * The data scope of a key: which personal columns and which properties it reads (contract: data scopes).
 *
 * A key with a scope has its own catalogue (`catalogueWithin`): hidden columns are marked and may be null, hidden tables do not exist.
 * Routes, schemas and documents follow from it. The rows themselves are limited where tables become SQL (`sql/tables.ts`).
 */
import { type Catalogue, catalogue as ownCatalogue, type ResolvedRelation } from './index.ts';
import { type PersonalClass, personalClasses } from './personal.ts';
import { type PropertyOf, shared } from './property-path.ts';
import { rawTables } from './raw/index.ts';
import type { RawTable } from './raw-table.ts';
import type { DatasetKind, Table } from './table.ts';

/** Properties by id, or by company and federal state. All given conditions must hold; each lists alternatives. */
export interface PropertySet {
  readonly ids?: readonly number[];
  readonly companies?: readonly string[];
  readonly federal_states?: readonly string[];
}

/** A scope as it is stored and shown. */
export interface ScopeDefinition {
  /** The classes of personal data that the key reads; all if absent. */
  readonly personal?: readonly PersonalClass[];
  /** The properties that the key reads; all if absent. */
  readonly properties?: PropertySet;
}

export interface DataScope {
  readonly definition: ScopeDefinition;
  /** Equal for equal definitions. `readership.ts` makes it a part of names. */
  readonly key: string;
  /** The scope without its values: scopes of one shape have the same catalogue and the same statements. */
  readonly shape: string;
  readonly hidden: ReadonlySet<PersonalClass>;
  readonly properties: PropertySet | undefined;
}

/** The parts of a property set that are given, in a fixed order. */
export const partsOfSet = (set: PropertySet) => (['ids', 'companies', 'federal_states'] as const).filter((part) => set[part]);

/** A scope of a definition; `key` identifies the definition. */
export const dataScope = (definition: ScopeDefinition, key: string): DataScope => {
  const { personal = personalClasses, properties } = definition;
  const hidden = personalClasses.filter((each) => !personal.includes(each));
  const shape = JSON.stringify([hidden, properties ? partsOfSet(properties) : null]);
  return { definition, key, shape, hidden: new Set(hidden), properties };
};

/** How the rows of a table belong to properties. */
export const propertyPathOf = (kind: DatasetKind, name: string): PropertyOf | undefined => {
  const table: Pick<Table, 'property'> | undefined =
    kind === 'category'
      ? ownCatalogue.tables.get(name)
      : Object.hasOwn(rawTables, name)
        ? (rawTables as Record<string, RawTable>)[name]
        : undefined;
  return table?.property;
};

/** Whether a scope includes the table. Raw tables that the catalogue does not know may hold anything, so no scope includes them. */
export const includesTable = (scope: DataScope | undefined, kind: DatasetKind, name: string): boolean => {
  if (!scope) return true;
  if (kind === 'raw' && !Object.hasOwn(rawTables, name)) return false;
  return !scope.properties || propertyPathOf(kind, name) !== undefined;
};

/** Whether a scope may include a part of the rows only. */
export const isNarrowed = (scope: DataScope | undefined, kind: DatasetKind, name: string): boolean =>
  scope?.properties !== undefined && propertyPathOf(kind, name) !== shared;

/** The table whose columns a property set names. */
export const propertyTable: Readonly<Record<DatasetKind, string>> = { category: 'properties', raw: 'property_hdr' };

/** The other tables that decide which rows of the given tables are in the scope. */
export const tablesOfScope = (scope: DataScope | undefined, kind: DatasetKind, names: Iterable<string>): readonly string[] => {
  const { properties } = scope ?? {};
  if (!properties) return [];
  const found = new Set<string>();
  for (const name of names) {
    const path = propertyPathOf(kind, name);
    if (path === undefined || path === shared) continue;
    for (const { target } of path.via) found.add(target);
    if (properties.companies || properties.federal_states) found.add(propertyTable[kind]);
  }
  for (const name of names) found.delete(name);
  return [...found].sort();
};

/** The class of personal data of a column, or null. Undefined if the catalogue does not have the column. */
const personalClassOf = (kind: DatasetKind, table: string, column: string): PersonalClass | null | undefined => {
  if (kind === 'category') {
    const found = ownCatalogue.tables.get(table)?.columns[column];
    return found && (found.personal ?? null);
  }
  const raw = Object.hasOwn(rawTables, table) ? (rawTables as Record<string, RawTable>)[table] : undefined;
  return raw && Object.hasOwn(raw.columns, column) ? (raw.personal[column] ?? null) : undefined;
};

/** Whether a scope hides a column. A column that the catalogue does not have may hold anything, so every scope hides it. */
export const hidesColumn = (scope: DataScope | undefined, kind: DatasetKind, table: string, column: string): boolean => {
  if (!scope) return false;
  const personal = personalClassOf(kind, table, column);
  return personal === undefined || (personal !== null && scope.hidden.has(personal));
};

const hide = (table: Table, { hidden }: DataScope): Table => {
  const columns = Object.entries(table.columns).map(([name, column]) => {
    const { personal, meaning, kind, digits, from } = column;
    if (!personal || !hidden.has(personal)) return [name, column] as const;
    const hiddenMeaning = `${meaning}; personal data (${personal}) that the key may not read: always null`;
    return [
      name,
      { kind, meaning: hiddenMeaning, personal, isHidden: true, ...(digits && { digits }), ...(from !== undefined && { from }) },
    ] as const;
  });
  return { ...table, columns: Object.fromEntries(columns) };
};

const made = new WeakMap<Catalogue, Map<string, Catalogue>>();

/** The catalogue as a key with this scope sees it. There are at most as many as shapes. */
export const catalogueWithin = (catalogue: Catalogue, scope: DataScope | undefined): Catalogue => {
  if (!scope) return catalogue;
  const known = made.get(catalogue) ?? new Map<string, Catalogue>();
  made.set(catalogue, known);
  const found = known.get(scope.shape);
  if (found) return found;
  const tables = [...catalogue.tables.values()].filter(({ property }) => !scope.properties || property).map((table) => hide(table, scope));
  const names = new Set(tables.map(({ name }) => name));
  const targetOf = (to: string) => to.split('.')[0] ?? '';
  const within = {
    tables: new Map(
      tables.map((table) => [
        table.name,
        { ...table, relations: Object.fromEntries(Object.entries(table.relations).filter(([, { to }]) => names.has(targetOf(to)))) },
      ]),
    ),
    relations: new Map(
      tables.map(({ name }): [string, ResolvedRelation[]] => [
        name,
        (catalogue.relations.get(name) ?? []).filter(({ target }) => names.has(target)),
      ]),
    ),
  };
  known.set(scope.shape, within);
  return within;
};

/** The filters of a table as a key sees it: no column that is hidden from the key. */
export const readableFilters = ({ filters, columns }: Pick<Table, 'filters' | 'columns'>): readonly string[] =>
  filters.filter((name) => !columns[name]?.isHidden);
