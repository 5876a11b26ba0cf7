/** Random GraphQL documents: the fields of a query, from the whole catalogue. */
import { catalogue } from '../../src/catalogue/index.ts';
import type { Table } from '../../src/catalogue/table.ts';
import { globalId } from '../../src/graphql/schema/global-ids.ts';
import { camelCase, rowTypeName } from '../../src/graphql/schema/names.ts';
import { GroupDocuments } from './group-documents.ts';
import type { GroupFeature } from './group-requests.ts';
import { categoryTables, type Guesses, relationsOf, tableNamed } from './guesses.ts';

export class Documents {
  readonly #guesses: Guesses;
  readonly #groups: GroupDocuments;

  constructor(guesses: Guesses) {
    this.#guesses = guesses;
    this.#groups = new GroupDocuments(guesses, (table) => this.rootFilter(table));
  }

  /** A field of groups with these features. */
  groups(features: readonly GroupFeature[]): string {
    return this.#groups.next(features);
  }

  filter(table: Table, depth: number): string {
    const random = this.#guesses.random;
    if (random.chance(0.15)) return `{${random.oneOf(['and', 'or'])}: [${this.filter(table, depth)}, ${this.filter(table, depth)}]}`;
    if (random.chance(0.1)) return `{not: ${this.filter(table, depth)}}`;
    const relations = catalogue.relations.get(table.name) ?? [];
    if (depth > 0 && relations.length > 0 && random.chance(0.4)) {
      const relation = random.oneOf(relations);
      const inner = random.chance(0.1) ? '{}' : this.filter(tableNamed(relation.target), depth - 1);
      if (relation.kind === 'to-one') return `{${relation.name}: ${inner}}`;
      if (random.chance(0.3))
        return `{${relation.name}: {count: {${random.chance(0.7) ? `filter: ${inner}, ` : ''}is: {${random.oneOf(['gt', 'lte', 'eq'])}: ${random.below(4)}}}}}`;
      return `{${relation.name}: {${random.oneOf(['some', 'none', 'every'])}: ${inner}}}`;
    }
    if (random.chance(0.1)) return this.#days(table);
    const [name, { kind }] = random.oneOf(Object.entries(table.columns));
    if (random.chance(0.2)) return `{${camelCase(name)}: {isNull: ${random.chance(0.5)}}}`;
    if (kind === 'string' && random.chance(0.3))
      return `{${camelCase(name)}: {${random.oneOf(['contains', 'iContains', 'startsWith'])}: ${JSON.stringify(String(this.#guesses.value(table.name, name)).slice(0, 1 + random.below(8)))}}}`;
    const by = kind === 'boolean' ? 'eq' : random.oneOf(['eq', 'ne', 'gt', 'gte', 'lt', 'lte']);
    return `{${camelCase(name)}: {${by}: ${this.#guesses.literal(table.name, name, kind)}}}`;
  }

  /** A filter on the days between two dates, of which one is often personal or of a related row. */
  #days(table: Table): string {
    const { random } = this.#guesses;
    const operand = (at: Table, depth: number): string | undefined => {
      const relations = relationsOf(at, 'to-one');
      const columns = Object.entries(at.columns).filter(([, { kind }]) => kind === 'date' || kind === 'timestamp');
      if (depth > 0 && relations.length > 0 && (columns.length === 0 || random.chance(0.4))) {
        const { name, target } = random.oneOf(relations);
        const inner = operand(tableNamed(target), depth - 1);
        return inner && `{${name}: ${inner}}`;
      }
      return columns.length > 0 ? `{column: ${random.oneOf(columns)[0].toUpperCase()}}` : undefined;
    };
    const [from, to] = [operand(table, 2), operand(table, 2)];
    return from && to ? `{days: {from: ${from}, to: ${to}, is: {${random.oneOf(['gt', 'lte', 'ne'])}: ${random.below(400)}}}}` : '{}';
  }

  /** A filter that also meets the required filters of a root field. */
  rootFilter(table: Table): string {
    const parts = table.requiredFilters.map(
      (name) => `{${camelCase(name)}: {eq: ${this.#guesses.literal(table.name, name, table.columns[name]!.kind)}}}`,
    );
    if (this.#guesses.random.chance(0.7)) parts.push(this.filter(table, 2));
    return parts.length > 0 ? `filter: {and: [${parts.join(', ')}]}` : '';
  }

  #order(table: Table): string {
    const relations = relationsOf(table, 'to-one');
    const inner = (of: Table) =>
      `${camelCase(this.#guesses.random.oneOf([of.key, ...of.filters]))}: ${this.#guesses.random.oneOf(['ASC', 'DESC'])}`;
    if (relations.length > 0 && this.#guesses.random.chance(0.3)) {
      const { name, target } = this.#guesses.random.oneOf(relations);
      return `orderBy: [{${name}: {${inner(tableNamed(target))}}}]`;
    }
    return `orderBy: [{${inner(table)}}]`;
  }

  #fields(table: Table, depth: number): string {
    const random = this.#guesses.random;
    const columns = Object.entries(table.columns);
    const names = new Set([...random.some(columns, 5).map(([name]) => camelCase(name)), camelCase(table.key)]);
    const labels = columns.filter(([, { lookup }]) => lookup).map(([name]) => `${camelCase(name)}Label`);
    for (const label of random.some(labels, 1)) names.add(label);
    if (random.chance(0.1)) names.add('id');
    const nested = new Map<string, string>();
    const relations = catalogue.relations.get(table.name) ?? [];
    if (depth > 0 && relations.length > 0)
      for (const { name, kind, target } of random.some(relations, 2)) {
        const there = tableNamed(target);
        if (kind === 'to-one') nested.set(name, `${name} { ${this.#fields(there, depth - 1)} }`);
        else if (random.chance(0.2)) nested.set(name, `${name}Groups(first: 3) { groups { ${this.#groups.group(there)} } totalCount }`);
        else nested.set(name, `${name}(${this.#list(there, false)}) { totalCount nodes { ${this.#fields(there, depth - 1)} } }`);
      }
    return [...names, ...nested.values()].join(' ');
  }

  #list(table: Table, isRoot: boolean): string {
    const random = this.#guesses.random;
    const { cursors } = this.#guesses.pool;
    const position = cursors.length > 0 && random.chance(0.15) ? JSON.stringify(random.oneOf(cursors)) : undefined;
    const first = random.oneOf([1, 3, 10]);
    const isBackward = random.chance(0.1);
    return [
      isBackward ? `last: ${first}` : `first: ${first}`,
      position
        ? `${isBackward ? 'before' : 'after'}: ${position}`
        : isRoot && !isBackward && random.chance(0.15)
          ? `offset: ${random.oneOf([1, 5, 600])}`
          : '',
      isRoot ? this.rootFilter(table) : random.chance(0.3) ? `filter: ${this.filter(table, 1)}` : '',
      random.chance(0.4) ? this.#order(table) : '',
    ]
      .filter((part) => part !== '')
      .join(', ');
  }

  /** A list for a saved question: a value of a column is a variable, and so is the length. */
  question(table: Table, column: string): string {
    const required = table.requiredFilters.map(
      (name) => `{${camelCase(name)}: {eq: ${this.#guesses.literal(table.name, name, table.columns[name]!.kind)}}}`,
    );
    const filter = `{and: [${[...required, `{${camelCase(column)}: {eq: $value}}`, this.filter(table, 1)].slice(0, this.#guesses.random.chance(0.7) ? -1 : undefined).join(', ')}]}`;
    return `${camelCase(table.name)}(first: $first, filter: ${filter}) { nodes { ${this.#fields(table, this.#guesses.random.below(2))} } }`;
  }

  root(): string {
    const random = this.#guesses.random;
    const table = random.oneOf(categoryTables);
    const name = camelCase(table.name);
    switch (random.below(10)) {
      case 0:
        return `${name}ById(${camelCase(table.key)}: ${this.#guesses.literal(table.name, table.key, table.columns[table.key]!.kind)}) { ${this.#fields(table, 2)} }`;
      case 1: {
        const ids = Array.from({ length: 3 }, () => {
          const there = random.oneOf(categoryTables);
          return globalId(there, String(this.#guesses.value(there.name, there.key)));
        });
        const there = random.oneOf(categoryTables);
        return `nodes(ids: ${JSON.stringify(ids)}) { id ... on ${rowTypeName(there.name)} { ${this.#fields(there, 0)} } }`;
      }
      case 2:
      case 3:
        return this.#groups.next([]);
      case 4:
        return random.oneOf([
          'me { tier scope { personal properties { ids companies federalStates } } tables { table version rowCount } }',
          'catalog { category tables }',
          'changes(since: "2020-01-01T00:00:00Z") { table rowCount version }',
          `lookupValues(table: "${table.name}", column: "${random.oneOf(Object.keys(table.columns))}") { value label }`,
          `__type(name: "${rowTypeName(table.name)}") { fields { name description type { kind name ofType { name } } } }`,
        ]);
      default:
        return `${name}(${this.#list(table, true)}) { totalCount pageInfo { hasNextPage endCursor startCursor } nodes { ${this.#fields(table, 2)} } }`;
    }
  }
}
