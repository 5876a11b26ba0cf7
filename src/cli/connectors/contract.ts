/**
 * The data contract of category tables: a document of the Open Data Contract Standard 3.1 (bitol-io.github.io/open-data-contract-standard).
 * Tables, columns, relations, code lists and checks are those of the catalogue.
 */
import { stringify } from 'yaml';
import type { Check } from '../../catalogue/check-rule.ts';
import { checksIn } from '../../catalogue/checks.ts';
import type { Kind } from '../../catalogue/column.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { kinds } from '../../catalogue/kinds.ts';
import { pathOfTable } from '../../catalogue/table.ts';
import { categories, includesTier, type Tier, tiers } from '../../catalogue/tiers.ts';
import { relationsAmong } from '../../execute/visible.ts';
import { type ColumnDescription, describeTable, type TableDescription } from '../../query/describe-table.ts';

export interface ContractOptions {
  readonly catalogue: Catalogue;
  /** The address of the service, without a slash at its end. */
  readonly url: string;
  /** The version of the service, which is that of the tables. */
  readonly version: string;
  /** The customer whose tables the contract has; absent for all tables. */
  readonly customer?: { readonly slug: string; readonly name: string; readonly tier: Tier } | undefined;
}

const logicalTypes = {
  integer: 'integer',
  bigint: 'integer',
  number: 'number',
  string: 'string',
  date: 'date',
  timestamp: 'timestamp',
  boolean: 'boolean',
} as const satisfies Record<Kind, string>;

/** A column, with the references that lead from it to one row. */
const propertyOf = ({ table, relations }: TableDescription, column: ColumnDescription, url: string) => {
  const { name, kind, meaning, digits, required = false, personal, lookup, example } = column;
  const references = relations.filter((each) => each.column === name && each.kind === 'to-one' && name !== table.key);
  return {
    name,
    description: meaning,
    logicalType: logicalTypes[kind],
    physicalType: kinds[kind].ddl(digits).replace(/ collate .*/, ''),
    required,
    unique: name === table.key || table.unique.includes(name),
    ...(name === table.key && { primaryKey: true, primaryKeyPosition: 1 }),
    ...(personal && { classification: 'personal', tags: [`personal:${personal}`] }),
    ...(example !== undefined && { examples: [example] }),
    ...(references.length > 0 && {
      relationships: references.map(({ target, targetColumn }) => ({ type: 'foreignKey', to: `${target}.${targetColumn}` })),
    }),
    ...(lookup && { authoritativeDefinitions: [{ type: 'codes', url: `${url}/meta/${table.name}/values/${name}` }] }),
  };
};

/** A check counts the rows that violate it. The description says which rows these are. */
const qualityOf = ({ name, severity, en }: Check) => ({
  type: 'text',
  name,
  description: `None: ${en}`,
  severity: severity === 'refuse' ? 'error' : 'warning',
});

const schemaOf = (described: TableDescription, url: string, checks: readonly Check[]) => {
  const { table, columns } = described;
  return {
    name: table.name,
    logicalType: 'object',
    physicalType: 'table',
    description: table.purpose,
    dataGranularityDescription: table.grain,
    tags: [table.category],
    customProperties: [
      { property: 'endpoint', value: pathOfTable(table) },
      { property: 'tier', value: categories[table.category] },
    ],
    properties: columns.map((column) => propertyOf(described, column, url)),
    quality: checks.filter((check) => check.table === table.name).map(qualityOf),
  };
};

const documentOf = (options: ContractOptions) => {
  const { url, version, customer } = options;
  const highest = customer?.tier ?? (tiers.at(-1) as Tier);
  const tables = [...options.catalogue.tables.values()].filter(({ category }) => includesTier(highest, categories[category]));
  const relationsOf = relationsAmong(options.catalogue, tables);
  const names = new Set(tables.map(({ name }) => name));
  const checks = checksIn(options.catalogue).filter(({ others }) => others.every(({ kind, table }) => kind === 'raw' || names.has(table)));
  return {
    version,
    kind: 'DataContract',
    apiVersion: 'v3.1.0',
    id: customer ? `estate-${customer.slug}` : 'estate',
    name: customer ? `Real-estate data of ${customer.name}` : 'Real-estate data',
    status: 'active',
    domain: 'real-estate',
    ...(customer && { tenant: customer.slug }),
    description: {
      purpose: 'Properties, units, contracts, bookings and orders of an ERP system, in tables with business names.',
      usage: 'Read-only, over REST, GraphQL, files and tools for agents.',
      limitations: 'Each key has a quota of requests an hour, a tier, and possibly a data scope.',
      authoritativeDefinitions: [{ type: 'documentation', url: `${url}/docs/contract` }],
    },
    servers: [{ server: 'service', type: 'api', location: url, description: 'The key is in the header X-API-Key.' }],
    schema: tables.map((table) => schemaOf(describeTable(table, { tables: names, relationsOf }), url, checks)),
    roles: tiers.filter((tier) => includesTier(highest, tier)).map((tier) => ({ role: tier, access: 'read' })),
  };
};

/** The document as YAML. */
export const dataContract = (options: ContractOptions): string => stringify(documentOf(options), { lineWidth: 0 });
