/** A seeded generator of requests to every interface, made from the whole catalogue, so that many ask for what a scope hides. */
import { createHash } from 'node:crypto';
import { catalogue } from '../../src/catalogue/index.ts';
import { measuresOf } from '../../src/catalogue/measures.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import type { Table } from '../../src/catalogue/table.ts';
import { globalId } from '../../src/graphql/schema/global-ids.ts';
import { camelCase, typeName } from '../../src/graphql/schema/names.ts';
import type { Values } from './worlds.ts';

export interface Question {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Pool {
  readonly values: Values;
  /** Cursors and tags of earlier answers, of this key and of others. */
  readonly cursors: string[];
  readonly etags: string[];
  /** The persisted documents of the service. */
  readonly documents?: readonly string[];
}

const categoryTables = [...catalogue.tables.values()];
const rawNames = Object.keys(rawTables);
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The generator "mulberry32". */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  below(count: number): number {
    return Math.floor(this.next() * count);
  }
  chance(probability: number): boolean {
    return this.next() < probability;
  }
  oneOf<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
  some<T>(values: readonly T[], max: number): T[] {
    return Array.from({ length: this.below(max + 1) }, () => this.oneOf(values));
  }
}

export class Requests {
  readonly #random: Random;
  readonly #pool: Pool;

  constructor(seed: number, pool: Pool) {
    this.#random = new Random(seed);
    this.#pool = pool;
  }

  next(): Question {
    const random = this.#random;
    const kind = random.below(20);
    const question =
      kind < 6 ? this.#page() : kind < 9 ? this.#groups() : kind < 11 ? this.#raw() : kind < 13 ? this.#service() : this.#graphql();
    const { etags } = this.#pool;
    if (etags.length > 0 && random.chance(0.1) && question.method !== 'POST')
      return { ...question, headers: { ...question.headers, 'If-None-Match': random.oneOf(etags) } };
    return question;
  }

  #value(table: string, column: string): unknown {
    const values = this.#pool.values.get(`${table}.${column}`);
    if (!values || this.#random.chance(0.05)) return this.#random.oneOf(['', 'canary', 0, '1001', 1002]);
    return this.#random.oneOf(values);
  }

  #query(parameters: readonly (readonly [string, unknown])[]): string {
    return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))}`;
  }

  #required(table: Table): [string, unknown][] {
    return this.#random.chance(0.95) ? table.requiredFilters.map((name) => [name, this.#value(table.name, name)]) : [];
  }

  #cursor(): [string, unknown][] {
    const { cursors } = this.#pool;
    return cursors.length > 0 && this.#random.chance(0.2) ? [['cursor', this.#random.oneOf(cursors)]] : [];
  }

  #format(): [string, unknown][] {
    return this.#random.chance(0.15) ? [['format', 'csv']] : [];
  }

  #page(): Question {
    const random = this.#random;
    const table = random.oneOf(categoryTables);
    const filters = random.some(random.chance(0.5) ? table.filters : Object.keys(table.columns), 2);
    const parameters: [string, unknown][] = [
      ...this.#required(table),
      ...filters.map((name): [string, unknown] => [name, this.#value(table.name, name)]),
      ...(random.chance(0.8) ? [['limit', random.oneOf([1, 2, 5, 20, 100, 1_500])] as [string, unknown]] : []),
      ...(random.chance(0.3) ? [['offset', random.oneOf([0, 1, 7, 60, 510])] as [string, unknown]] : []),
      ...this.#cursor(),
      ...this.#format(),
    ];
    const method = random.chance(0.1) ? 'HEAD' : 'GET';
    return { method, path: `${random.chance(0.1) ? '/v1' : ''}/${table.category}/${table.name}${this.#query(parameters)}` };
  }

  /** A column of a table, or of a row that to-one relations lead to. */
  #path(table: Table, depth = 2): string {
    const toOne = (catalogue.relations.get(table.name) ?? []).filter(({ kind }) => kind === 'to-one');
    if (depth > 0 && toOne.length > 0 && this.#random.chance(0.4)) {
      const relation = this.#random.oneOf(toOne);
      return `${snake(relation.name)}.${this.#path(catalogue.tables.get(relation.target)!, depth - 1)}`;
    }
    return this.#random.oneOf(Object.keys(table.columns));
  }

  /** A condition on a column of a table, or of a row that to-one relations lead to. */
  #condition(table: Table): string {
    const path = this.#path(table);
    return this.#random.chance(0.3)
      ? `${path}:is_null`
      : `${path}${this.#random.oneOf(['=', '!=', '>', '<='])}${this.#random.below(2_000)}`;
  }

  #groups(): Question {
    const random = this.#random;
    const table = random.oneOf(categoryTables);
    const columns = Object.keys(table.columns);
    const measures = measuresOf(table.name, catalogue.relations.get(table.name) ?? []).map(({ name }) => name);
    const by = [...new Set(random.some([this.#path(table), this.#path(table), this.#path(table)], 2))];
    const folded = random.oneOf(['sum', 'avg', 'min', 'max', 'distinct']);
    const column = random.oneOf(columns);
    const numbers = columns.filter((name) => table.columns[name]!.kind === 'number');
    const of = folded === 'sum' || folded === 'avg' ? (numbers.length > 0 ? random.oneOf(numbers) : column) : column;
    const parameters: [string, unknown][] = [
      ...this.#required(table),
      ...(by.length > 0 ? [['by', by.join()] as [string, unknown]] : []),
      ['count', ''],
      ...(random.chance(0.5) ? [[folded, of] as [string, unknown]] : []),
      ...(measures.length > 0 && random.chance(0.3) ? [['measure', random.oneOf(measures)] as [string, unknown]] : []),
      ...(random.chance(0.3) ? [['where', this.#condition(table)] as [string, unknown]] : []),
      ...(random.chance(0.3) ? [['value', `part:count(${this.#condition(table)})`] as [string, unknown]] : []),
      ...(random.chance(0.2) ? [['having', `count>${random.below(5)}`] as [string, unknown]] : []),
      ...(random.chance(0.2) ? [['having', `${folded}_${of}>${random.below(5)}`] as [string, unknown]] : []),
      ...(random.chance(0.3) ? [['order', random.oneOf(['-count', 'count', `-${folded}_${of}`])] as [string, unknown]] : []),
      ...random.some(table.filters, 1).map((name): [string, unknown] => [name, this.#value(table.name, name)]),
      ...(random.chance(0.5) ? [['limit', random.oneOf([1, 3, 50])] as [string, unknown]] : []),
      ...this.#cursor(),
      ...this.#format(),
    ];
    return { method: 'GET', path: `/${table.category}/${table.name}/groups${this.#query(parameters)}` };
  }

  #raw(): Question {
    const random = this.#random;
    if (random.chance(0.3)) {
      const path = random.chance(0.5) ? `/raw/${random.oneOf(rawNames)}` : this.#tablePath();
      return {
        method: 'GET',
        path: `${path}/deltas${this.#query([['since_version', random.below(3)], ['limit', random.oneOf([1, 50, 2_000])], ...this.#cursor()])}`,
      };
    }
    const parameters: [string, unknown][] = [['limit', random.oneOf([1, 3, 40, 1_500])], ...this.#cursor(), ...this.#format()];
    return {
      method: random.chance(0.1) ? 'HEAD' : 'GET',
      path: `/raw/${random.oneOf([...rawNames, 'tables', 'nothing'])}${this.#query(parameters)}`,
    };
  }

  #tablePath(): string {
    const table = this.#random.oneOf(categoryTables);
    return `/${table.category}/${table.name}`;
  }

  #service(): Question {
    const random = this.#random;
    const table = random.oneOf(categoryTables);
    const path = random.oneOf([
      '/me',
      '/catalog',
      '/tables',
      '/changes?since=2020-01-01',
      '/raw/tables',
      `/meta/${table.name}/values/${random.oneOf(Object.keys(table.columns))}`,
      `/docs/tables/${table.name}`,
      ...(random.chance(0.1) ? ['/openapi.json', '/docs/raw', '/docs/tables'] : []),
    ]);
    return { method: 'GET', path };
  }

  #literal(table: string, column: string, kind: string): string {
    const value = this.#value(table, column);
    if (kind === 'integer' || kind === 'bigint' || kind === 'number') return String(Number(value) || 0);
    if (kind === 'boolean') return String(value === true);
    return JSON.stringify(String(value));
  }

  #filter(table: Table, depth: number): string {
    const random = this.#random;
    if (random.chance(0.15)) return `{${random.oneOf(['and', 'or'])}: [${this.#filter(table, depth)}, ${this.#filter(table, depth)}]}`;
    if (random.chance(0.1)) return `{not: ${this.#filter(table, depth)}}`;
    const relations = catalogue.relations.get(table.name) ?? [];
    if (depth > 0 && relations.length > 0 && random.chance(0.4)) {
      const relation = random.oneOf(relations);
      const inner = random.chance(0.1) ? '{}' : this.#filter(catalogue.tables.get(relation.target)!, depth - 1);
      return relation.kind === 'to-one'
        ? `{${relation.name}: ${inner}}`
        : `{${relation.name}: {${random.oneOf(['some', 'none', 'every'])}: ${inner}}}`;
    }
    const [name, { kind }] = random.oneOf(Object.entries(table.columns));
    if (random.chance(0.2)) return `{${camelCase(name)}: {isNull: ${random.chance(0.5)}}}`;
    if (kind === 'string' && random.chance(0.3))
      return `{${camelCase(name)}: {${random.oneOf(['contains', 'iContains', 'startsWith'])}: ${JSON.stringify(String(this.#value(table.name, name)).slice(0, 1 + random.below(8)))}}}`;
    const by = kind === 'boolean' ? 'eq' : random.oneOf(['eq', 'ne', 'gt', 'gte', 'lt', 'lte']);
    return `{${camelCase(name)}: {${by}: ${this.#literal(table.name, name, kind)}}}`;
  }

  /** A filter that also meets the required filters of a root field. */
  #rootFilter(table: Table): string {
    const parts = table.requiredFilters.map(
      (name) => `{${camelCase(name)}: {eq: ${this.#literal(table.name, name, table.columns[name]!.kind)}}}`,
    );
    if (this.#random.chance(0.7)) parts.push(this.#filter(table, 2));
    return parts.length > 0 ? `filter: {and: [${parts.join(', ')}]}` : '';
  }

  #order(table: Table): string {
    const relations = (catalogue.relations.get(table.name) ?? []).filter(({ kind }) => kind === 'to-one');
    const inner = (of: Table) => `${camelCase(this.#random.oneOf([of.key, ...of.filters]))}: ${this.#random.oneOf(['ASC', 'DESC'])}`;
    if (relations.length > 0 && this.#random.chance(0.3)) {
      const { name, target } = this.#random.oneOf(relations);
      return `orderBy: [{${name}: {${inner(catalogue.tables.get(target)!)}}}]`;
    }
    return `orderBy: [{${inner(table)}}]`;
  }

  #fields(table: Table, depth: number): string {
    const random = this.#random;
    const columns = Object.entries(table.columns);
    const names = new Set([...random.some(columns, 5).map(([name]) => camelCase(name)), camelCase(table.key)]);
    const labels = columns.filter(([, { lookup }]) => lookup).map(([name]) => `${camelCase(name)}Label`);
    for (const label of random.some(labels, 1)) names.add(label);
    if (random.chance(0.1)) names.add('id');
    const nested = new Map<string, string>();
    const relations = catalogue.relations.get(table.name) ?? [];
    if (depth > 0 && relations.length > 0)
      for (const { name, kind, target } of random.some(relations, 2)) {
        const there = catalogue.tables.get(target)!;
        if (kind === 'to-one') nested.set(name, `${name} { ${this.#fields(there, depth - 1)} }`);
        else if (random.chance(0.2)) nested.set(name, `${name}Groups(first: 3) { groups { ${this.#group(there)} } totalCount }`);
        else nested.set(name, `${name}(${this.#list(there, false)}) { totalCount nodes { ${this.#fields(there, depth - 1)} } }`);
      }
    return [...names, ...nested.values()].join(' ');
  }

  #list(table: Table, isRoot: boolean): string {
    const random = this.#random;
    const { cursors } = this.#pool;
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
      isRoot ? this.#rootFilter(table) : random.chance(0.3) ? `filter: ${this.#filter(table, 1)}` : '',
      random.chance(0.4) ? this.#order(table) : '',
    ]
      .filter((part) => part !== '')
      .join(', ');
  }

  #key(table: Table, depth: number): string {
    const relations = (catalogue.relations.get(table.name) ?? []).filter(({ kind }) => kind === 'to-one');
    if (depth > 0 && relations.length > 0 && this.#random.chance(0.4)) {
      const { name, target } = this.#random.oneOf(relations);
      return `${name} { ${this.#key(catalogue.tables.get(target)!, depth - 1)} }`;
    }
    return camelCase(this.#random.oneOf(Object.keys(table.columns)));
  }

  #group(table: Table): string {
    const random = this.#random;
    const column = () => camelCase(random.oneOf(Object.keys(table.columns)));
    const dates = Object.entries(table.columns).flatMap(([name, { kind }]) =>
      kind === 'string' || kind === 'boolean' ? [] : [camelCase(name)],
    );
    return [
      'count',
      random.chance(0.7) ? `key { ${this.#key(table, 1)} }` : '',
      random.chance(0.3) ? `distinct { ${column()} }` : '',
      random.chance(0.3) ? `part: count(filter: { ${column()}: { isNull: ${random.chance(0.5)} } })` : '',
      random.chance(0.3)
        ? `${random.oneOf(['min', 'max'])} { ${random.chance(0.5) && dates.length > 0 ? random.oneOf(dates) : column()} }`
        : '',
    ].join(' ');
  }

  #root(): string {
    const random = this.#random;
    const table = random.oneOf(categoryTables);
    const name = camelCase(table.name);
    switch (random.below(10)) {
      case 0:
        return `${name}ById(${camelCase(table.key)}: ${this.#literal(table.name, table.key, table.columns[table.key]!.kind)}) { ${this.#fields(table, 2)} }`;
      case 1: {
        const ids = Array.from({ length: 3 }, () => {
          const there = random.oneOf(categoryTables);
          return globalId(there, String(this.#value(there.name, there.key)));
        });
        const there = random.oneOf(categoryTables);
        return `nodes(ids: ${JSON.stringify(ids)}) { id ... on ${typeName(there.name)} { ${this.#fields(there, 0)} } }`;
      }
      case 2:
      case 3: {
        const having = random.chance(0.4)
          ? `having: {${random.oneOf([`count: {gt: ${random.below(4)}}`, `distinct: {${camelCase(random.oneOf(Object.keys(table.columns)))}: {gte: ${random.below(3)}}}`])}}`
          : '';
        const order = random.chance(0.3)
          ? `orderBy: [{${random.oneOf(['count: true', `max: ${random.oneOf(Object.keys(table.columns)).toUpperCase()}`, `distinct: ${random.oneOf(Object.keys(table.columns)).toUpperCase()}`])}, direction: DESC}]`
          : '';
        const given = [this.#rootFilter(table), having, order, `first: ${random.oneOf([2, 20])}`].filter((part) => part !== '').join(', ');
        return `${name}Groups(${given}) { totalCount groups { ${this.#group(table)} } pageInfo { hasNextPage endCursor } }`;
      }
      case 4:
        return random.oneOf([
          'me { tier scope { personal properties { ids companies federalStates } } tables { table version rowCount } }',
          'catalog { category tables }',
          'changes(since: "2020-01-01T00:00:00Z") { table rowCount version }',
          `lookupValues(table: "${table.name}", column: "${random.oneOf(Object.keys(table.columns))}") { value label }`,
          `__type(name: "${typeName(table.name)}") { fields { name description type { kind name ofType { name } } } }`,
        ]);
      default:
        return `${name}(${this.#list(table, true)}) { totalCount pageInfo { hasNextPage endCursor startCursor } nodes { ${this.#fields(table, 2)} } }`;
    }
  }

  /** Documents to persist. Most take the size of their page as a variable. */
  documents(count: number): readonly string[] {
    return Array.from({ length: count }, () => {
      const root = this.#root();
      const sized = root.replace(/first: \d+/, 'first: $first');
      return sized === root ? `query Persisted { ${root} }` : `query Persisted($first: Int!) { ${sized} }`;
    });
  }

  /** A persisted document by its hash, or a hash that no document has. */
  #persisted(documents: readonly string[]): Question {
    const random = this.#random;
    const text = random.chance(0.03) ? 'not persisted' : random.oneOf(documents);
    const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') } };
    const variables = { first: random.oneOf([1, 3, 10, 50]) };
    if (random.chance(0.3)) {
      const parameters = { extensions: JSON.stringify(extensions), variables: JSON.stringify(variables) };
      return { method: 'GET', path: `/graphql?${new URLSearchParams(parameters)}`, headers: { Accept: 'application/json' } };
    }
    const headers = { 'Content-Type': 'application/json' };
    return { method: 'POST', path: '/graphql', body: JSON.stringify({ extensions, variables }), headers };
  }

  #graphql(): Question {
    const { documents = [] } = this.#pool;
    if (documents.length > 0 && this.#random.chance(0.25)) return this.#persisted(documents);
    const query = `{ ${this.#root()} }`;
    const headers = { 'Content-Type': 'application/json' };
    if (this.#random.chance(0.05))
      return { method: 'GET', path: `/graphql?${new URLSearchParams({ query })}`, headers: { Accept: 'application/json' } };
    return { method: 'POST', path: '/graphql', body: JSON.stringify({ query }), headers };
  }
}
