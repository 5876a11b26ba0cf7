/** Random groups in GraphQL: plain keys, bands, series and computed values. */
import type { Column } from '../../src/catalogue/column.ts';
import type { Table } from '../../src/catalogue/table.ts';
import { camelCase } from '../../src/graphql/schema/names.ts';
import { rowFunctionNames, rowFunctions } from '../../src/plan/vocabulary/values.ts';
import type { GroupFeature } from './group-requests.ts';
import { categoryTables, type Guesses, isNumeric, isTime, relationsOf, tableNamed, validTables } from './guesses.ts';

const enumOf = (column: string) => column.toUpperCase();

/** The fields under `key`, and the inputs that name them. */
interface Keys {
  readonly fields: readonly string[];
  readonly inputs: readonly string[];
}

export class GroupDocuments {
  readonly #guesses: Guesses;
  /** The argument `filter` of a root field, if it needs one. */
  readonly #argument: (table: Table) => string;
  readonly #filter: (table: Table) => string;

  constructor(guesses: Guesses, argument: (table: Table) => string, filter: (table: Table) => string) {
    this.#guesses = guesses;
    this.#argument = argument;
    this.#filter = filter;
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

  /** Bands of a column, or of one of the row that a relation leads to. A column of another kind is an error. */
  #band(table: Table, alias: string, depth = 1): string {
    const { random } = this.#guesses;
    const relations = relationsOf(table, 'to-one');
    if (depth > 0 && relations.length > 0 && random.chance(0.3)) {
      const { name, target } = random.oneOf(relations);
      return `${name} { ${this.#band(tableNamed(target), alias, depth - 1)} }`;
    }
    const isAge = random.chance(0.5);
    const all = Object.keys(table.columns);
    const fitting = all.filter((name) => (isAge ? isTime : isNumeric)(table.columns[name]!));
    const of = enumOf(random.oneOf(fitting.length > 0 && random.chance(0.95) ? fitting : all));
    if (isAge) return `${alias}: band(of: ${of}, age: [${random.oneOf(['0', '30, 60', '365, 3650'])}], on: "2025-12-31")`;
    return `${alias}: band(of: ${of}, ${random.oneOf(['ranges: [0]', 'ranges: [0, 1000]', 'ranges: [1001, 1002]', 'width: 1', 'width: 500'])})`;
  }

  #keys(table: Table, has: (feature: GroupFeature) => boolean): Keys {
    const { random } = this.#guesses;
    const fields: string[] = [];
    const inputs: string[] = [];
    if (has('bands')) {
      fields.push(this.#band(table, 'b0'));
      inputs.push('{band: "b0"}');
    }
    if (has('series')) inputs.push('{asOf: true}');
    const times = Object.keys(table.columns).filter((name) => isTime(table.columns[name]!));
    if (has('computed') && times.length > 0 && random.chance(0.4)) {
      const [column, bucket] = [random.oneOf(times), random.oneOf(['MONTH', 'QUARTER', 'YEAR'])];
      fields.push(`${camelCase(column)}(bucket: ${bucket})`);
      inputs.push(`{column: ${enumOf(column)}, bucket: ${bucket}}`);
    }
    if (random.chance(0.5)) {
      const column = random.oneOf(Object.keys(table.columns));
      if (!fields.some((field) => field.startsWith(camelCase(column)))) fields.push(camelCase(column));
      inputs.push(`{column: ${enumOf(column)}}`);
    }
    return { fields, inputs };
  }

  #computed(table: Table, { inputs }: Keys): string {
    const { random } = this.#guesses;
    const column = () => enumOf(random.oneOf(Object.keys(table.columns)));
    const value = () => random.oneOf(['{count: true}', `{distinct: ${column()}}`, `{max: ${column()}}`, '{of: "part", count: true}']);
    const within = inputs.length > 0 && random.chance(0.4) ? `, within: [${random.oneOf(inputs)}]` : '';
    return random.oneOf([
      `c: ratio(of: ${value()}, to: ${value()})`,
      `c: difference(of: ${value()}, minus: ${value()})`,
      `c: share(of: ${value()}${within})`,
      `c: rank(of: ${value()}${within})`,
      `c: runningTotal(of: ${value()}${within})`,
      `c: previous(of: ${value()})`,
      `c: change(of: ${value()}, periods: ${random.oneOf([1, 2])})`,
    ]);
  }

  /** A condition on related rows that are valid on the day of the series. */
  #validFilter(table: Table): string {
    const { random } = this.#guesses;
    const relation = random.oneOf(relationsOf(table, 'to-many').filter(({ target }) => tableNamed(target).validity));
    if (!relation) return this.#filter(table);
    const inner = random.chance(0.4) ? '{}' : this.#filter(tableNamed(relation.target));
    return `{${relation.name}: {${random.oneOf(['someValid', 'noneValid'])}: ${inner}}}`;
  }

  #having(has: (feature: GroupFeature) => boolean, column: string): string {
    const { random } = this.#guesses;
    return random.oneOf([
      `count: {gt: ${random.below(4)}}`,
      `distinct: {${camelCase(column)}: {gte: ${random.below(3)}}}`,
      ...(has('computed') ? [`of: "c", computed: {gt: ${random.below(30)}}`] : []),
    ]);
  }

  #order(has: (feature: GroupFeature) => boolean, column: string, { inputs }: Keys): string {
    const { random } = this.#guesses;
    return random.oneOf([
      'count: true',
      `max: ${enumOf(column)}`,
      `distinct: ${enumOf(column)}`,
      ...(has('computed') ? ['computed: "c"'] : []),
      ...inputs.map((input) => `key: ${input}`),
    ]);
  }

  next(features: readonly GroupFeature[]): string {
    const { random, pool } = this.#guesses;
    const has = (feature: GroupFeature) => features.includes(feature);
    const table = has('series') ? random.oneOf(validTables) : random.oneOf(categoryTables);
    const column = random.oneOf(Object.keys(table.columns));
    const keys = this.#keys(table, has);
    const [from, to] = random.oneOf([
      ['2024-01-01', '2025-12-31'],
      ['2025-03-01', '2025-05-31'],
    ]);
    const filter = has('series') && random.chance(0.5) ? `filter: ${this.#validFilter(table)}` : this.#argument(table);
    const given = [
      filter,
      has('series') ? `asOf: {every: ${random.oneOf(['MONTH', 'QUARTER', 'YEAR'])}, from: "${from}", to: "${to}"}` : '',
      random.chance(0.4) ? `having: {${this.#having(has, column)}}` : '',
      random.chance(0.3) ? `orderBy: [{${this.#order(has, column, keys)}, direction: DESC}]` : '',
      keys.inputs.length > 0 && random.chance(0.2) ? `fill: [${random.oneOf(keys.inputs)}]` : '',
      keys.inputs.length > 0 && random.chance(0.1) ? `topPer: {by: [${random.oneOf(keys.inputs)}], first: 2}` : '',
      pool.cursors.length > 0 && random.chance(0.1) ? `after: ${JSON.stringify(random.oneOf(pool.cursors))}` : '',
      `first: ${random.oneOf([2, 20])}`,
    ].filter((part) => part !== '');
    const part = random.chance(0.5) ? this.#filter(table) : `{ ${camelCase(column)}: { isNull: ${random.chance(0.5)} } }`;
    const group =
      features.length === 0
        ? this.group(table)
        : [
            keys.fields.length > 0 ? `key { ${keys.fields.join(' ')} }` : '',
            has('series') ? 'asOf' : '',
            'count',
            has('computed') || random.chance(0.3) ? `part: count(filter: ${part})` : '',
            random.chance(0.3) ? `distinct { ${this.#column(table)} }` : '',
            has('computed') ? this.#computed(table, keys) : '',
          ].join(' ');
    return `${camelCase(table.name)}Groups(${given.join(', ')}) { totalCount groups { ${group} } pageInfo { hasNextPage endCursor } }`;
  }
}
