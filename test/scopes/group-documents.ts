/** Random groups in GraphQL: plain keys, bands, series and computed values. */
import type { Column } from '../../src/catalogue/column.ts';
import type { Table } from '../../src/catalogue/table.ts';
import { ApiError } from '../../src/errors.ts';
import { writtenDocument } from '../../src/graphql/print/document.ts';
import { camelCase } from '../../src/graphql/schema/names.ts';
import { rowFunctionNames, rowFunctions } from '../../src/plan/vocabulary/values.ts';
import { cataloguePlan } from '../../src/prints/catalogue-plan.ts';
import { Unwritable } from '../../src/query/write/conditions.ts';
import { type GroupFeature, GroupRequests } from './group-requests.ts';
import { categoryTables, type Guesses, isNumeric, isTime, relationsOf, tableNamed } from './guesses.ts';

const enumOf = (column: string) => column.toUpperCase();

interface PrintedField {
  readonly field: string;
  /** Keys that are columns of the table, as inputs. */
  readonly keys: readonly string[];
}

/** The field of a GraphQL document for an address of groups. Undefined if the service refuses it, or GraphQL cannot say it. */
const printedField = (address: string): PrintedField | undefined => {
  try {
    const { named, table, relationsOf } = cataloguePlan(address);
    const { document } = writtenDocument(named, table, relationsOf);
    const keys = named.plan.groups?.keys.filter(({ via, bucket, band, series }) => via.length === 0 && !bucket && !band && !series) ?? [];
    const field = document.replaceAll(/\s+/g, ' ').replace(/^query \w+ \{ (.*) \} $/, '$1');
    return { field, keys: keys.map(({ column }) => `{column: ${enumOf(column)}}`) };
  } catch (error) {
    if (error instanceof ApiError || error instanceof Unwritable) return undefined;
    throw error;
  }
};

export class GroupDocuments {
  readonly #guesses: Guesses;
  /** The argument `filter` of a root field, if it needs one. */
  readonly #argument: (table: Table) => string;
  readonly #requests: GroupRequests;

  constructor(guesses: Guesses, argument: (table: Table) => string) {
    this.#guesses = guesses;
    this.#argument = argument;
    this.#requests = new GroupRequests(guesses);
  }

  #column(table: Table): string {
    return camelCase(this.#guesses.random.oneOf(Object.keys(table.columns)));
  }

  #key(table: Table, depth: number): string {
    const { random } = this.#guesses;
    const relations = relationsOf(table, 'to-one');
    if (depth > 0 && relations.length > 0 && random.chance(0.4)) {
      const { name, target } = random.oneOf(relations);
      return `${name} { ${this.#key(tableNamed(target), depth - 1)} }`;
    }
    return this.#column(table);
  }

  /** An input that names a column of the table, or of a row that relations lead to. */
  #input(table: Table, fits: (column: Column) => boolean, depth = 1): string {
    const { random } = this.#guesses;
    const relations = relationsOf(table, 'to-one');
    if (depth > 0 && relations.length > 0 && random.chance(0.4)) {
      const { name, target } = random.oneOf(relations);
      return `{${name}: ${this.#input(tableNamed(target), fits, depth - 1)}}`;
    }
    const all = Object.keys(table.columns);
    const fitting = all.filter((name) => fits(table.columns[name]!));
    return `{column: ${enumOf(random.oneOf(fitting.length > 0 ? fitting : all))}}`;
  }

  /** Aggregates of related columns and of row functions. */
  #values(table: Table): string {
    const { random } = this.#guesses;
    const relations = relationsOf(table, 'to-one');
    const call = random.oneOf(rowFunctionNames);
    const fits = rowFunctions[call].over === 'moments' ? isTime : isNumeric;
    const operands = Object.keys(rowFunctions[call].operands).map((name) => `${name}: ${this.#input(table, fits)}`);
    const related = relations.length > 0 ? random.oneOf(relations) : undefined;
    const column = related && this.#column(tableNamed(related.target));
    return [
      related && random.chance(0.3) ? `related: ${random.oneOf(['min', 'max', 'distinct'])} { ${related.name} { v: ${column} } }` : '',
      random.chance(0.3) ? `applied: ${random.oneOf(['avg', 'sum', 'median', 'max'])} { v: ${call}(${operands}) }` : '',
    ].join(' ');
  }

  /** The fields of a group without special keys and values. */
  group(table: Table): string {
    const { random } = this.#guesses;
    const ordered = Object.entries(table.columns).flatMap(([name, { kind }]) =>
      kind === 'string' || kind === 'boolean' ? [] : [camelCase(name)],
    );
    return [
      'count',
      random.chance(0.7) ? `key { ${this.#key(table, 1)} }` : '',
      random.chance(0.3) ? `distinct { ${this.#column(table)} }` : '',
      random.chance(0.3) ? `part: count(filter: { ${this.#column(table)}: { isNull: ${random.chance(0.5)} } })` : '',
      random.chance(0.3)
        ? `${random.oneOf(['min', 'max'])} { ${random.chance(0.5) && ordered.length > 0 ? random.oneOf(ordered) : this.#column(table)} }`
        : '',
      this.#values(table),
    ].join(' ');
  }

  /**
   * Groups with these features: a request of REST, printed as a field. A request that the service would refuse, or that GraphQL cannot say, is not
   * printed. A band of a column of another kind is an error that must not depend on hidden data either.
   */
  #printed(features: readonly GroupFeature[]): string {
    const { random, pool } = this.#guesses;
    for (;;) {
      const { table, parameters } = this.#requests.next(features);
      const given = parameters.filter(([name]) => name !== 'cursor').map(([name, value]) => [name, String(value)]);
      const printed = printedField(`/${table.category}/${table.name}/groups?${new URLSearchParams(given)}`);
      if (!printed) continue;
      const { field, keys } = printed;
      const added = [
        keys.length > 0 && random.chance(0.1) ? `topPer: {by: [${random.oneOf(keys)}], first: 2}, ` : '',
        pool.cursors.length > 0 && random.chance(0.1) ? `after: ${JSON.stringify(random.oneOf(pool.cursors))}, ` : '',
      ];
      const wrong = random.chance(0.05) ? ` key { wrong: band(of: ${enumOf(random.oneOf(Object.keys(table.columns)))}, width: 1) }` : '';
      return field
        .replace(/first: \d+ ?\) \{ totalCount groups \{/, (found) => `${added.join('')}${found}${wrong}`)
        .replace(/\}$/, 'pageInfo { hasNextPage endCursor } }');
    }
  }

  next(features: readonly GroupFeature[]): string {
    if (features.length > 0) return this.#printed(features);
    const { random } = this.#guesses;
    const table = random.oneOf(categoryTables);
    const given = [
      this.#argument(table),
      random.chance(0.4) ? `having: {count: {gt: ${random.below(4)}}}` : '',
      `first: ${random.oneOf([2, 20])}`,
    ].filter((part) => part !== '');
    return `${camelCase(table.name)}Groups(${given.join(', ')}) { totalCount groups { ${this.group(table)} } pageInfo { hasNextPage endCursor } }`;
  }
}
