/**
 * Answers documents with graphql-js alone, over plain objects. The objects hold the service's answers to plain documents without directives
 * and fragments: all rows of each table with all columns, and the groups of each set of keys. graphql-js selects, merges and orders the
 * fields. Relations and pages are computed here.
 */
import {
  type ExecutionResult,
  execute,
  type GraphQLFieldResolver,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  parse,
} from 'graphql';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Table } from '../../src/catalogue/table.ts';
import { byIdName, camelCase, groupsName, rowTypeName } from '../../src/graphql/schema/names.ts';
import { createSchema } from '../../src/graphql/schema/schema.ts';
import { plainAggregates as aggregates } from '../../src/plan/vocabulary/values.ts';
import { leavesOf, queryableTables, type RandomDocument, type Samples } from './documents.ts';

/** The service's answer to a plain document. */
// biome-ignore lint/suspicious/noExplicitAny: answers have any shape
export type RunPlainDocument = (query: string) => Promise<any>;

type Values = Readonly<Record<string, unknown>>;
interface Row extends Values {
  readonly __typename: string;
  readonly __cursor: string;
}
interface PageArguments {
  readonly first?: number;
  readonly offset?: number;
  readonly after?: string;
  readonly last?: number;
}

/** A key of groups: its path, its arguments, and whether its label is selected. */
interface AskedKey {
  readonly via: readonly string[];
  readonly column: string;
  readonly bucket: string | undefined;
  hasLabel: boolean;
}
interface AskedGroups {
  readonly keys: AskedKey[];
  /** By aggregate: the paths of columns, over relations to one row. */
  readonly figures: Map<string, Set<string>>;
}

const valueFields = [...aggregates, 'measures'];

/** The schema of the service without its resolvers. */
export const plainSchema = (): GraphQLSchema => {
  const schema = createSchema(catalogue, 'enterprise');
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (type instanceof GraphQLObjectType)
      for (const field of Object.values(type.getFields())) field.resolve = undefined as unknown as GraphQLFieldResolver<unknown, unknown>;
    if ('resolveType' in type) type.resolveType = undefined;
  }
  return schema;
};

const pageOf = (rows: readonly Row[], { first = 100, offset = 0, after, last }: PageArguments) => {
  const begin = after === undefined ? offset : rows.findIndex(({ __cursor }) => __cursor === after) + 1;
  const nodes = last === undefined ? rows.slice(begin, begin + first) : rows.slice(-last);
  return {
    nodes,
    edges: nodes.map((node) => ({ cursor: node.__cursor, node })),
    totalCount: rows.length,
    pageInfo: {
      hasNextPage: last === undefined && rows.length > begin + first,
      hasPreviousPage: last === undefined ? begin > 0 : rows.length > last,
      startCursor: nodes[0]?.__cursor ?? null,
      endCursor: nodes.at(-1)?.__cursor ?? null,
    },
  };
};

/** The path of a value without list indexes. All rows at a path have one type. */
const placeOf = ({ path, parentType }: GraphQLResolveInfo): string => {
  const keys: string[] = [];
  for (let at: typeof path | undefined = path; at; at = at.prev) if (typeof at.key === 'string') keys.unshift(at.key);
  return `${keys.join('.')} of ${parentType.name}`;
};

/** An object whose property `name` is `made(name)`. */
const anyProperty = (made: (name: string) => unknown): object =>
  new Proxy({}, { get: (_, name) => (typeof name === 'string' && name !== 'then' ? made(name) : undefined) });

/** A group that records the selected keys and aggregates. */
const noted = (table: Table, asked: AskedGroups): object => {
  const keyOf = (at: Table, via: readonly string[]): object =>
    anyProperty((name) => (values: Values, _context: unknown, { returnType }: GraphQLResolveInfo) => {
      if (!isLeafType(getNamedType(returnType))) {
        const relation = catalogue.relations.get(at.name)!.find((each) => each.name === name)!;
        return keyOf(catalogue.tables.get(relation.target)!, [...via, name]);
      }
      const isColumn = Object.keys(at.columns).some((column) => camelCase(column) === name);
      const column = isColumn ? name : name.replace(/Label$/, '');
      const bucket = (values.bucket ?? undefined) as string | undefined;
      const known = asked.keys.find((key) => key.via.join() === via.join() && key.column === column && key.bucket === bucket);
      const key = known ?? { via, column, bucket, hasLabel: false };
      if (!known) asked.keys.push(key);
      key.hasLabel ||= !isColumn;
      return null;
    });
  const figuresOf = (fold: string, via: readonly string[] = []): object =>
    anyProperty((name) => (_values: Values, _context: unknown, { returnType }: GraphQLResolveInfo) => {
      const path = [...via, name];
      if (!isLeafType(getNamedType(returnType))) return figuresOf(fold, path);
      asked.figures.set(fold, (asked.figures.get(fold) ?? new Set()).add(path.join('.')));
      return 0;
    });
  return anyProperty((name) => (name === 'key' ? keyOf(table, []) : name === 'count' ? 0 : figuresOf(name)));
};

const plainGroups = (field: string, { first }: PageArguments, { keys, figures }: AskedGroups): string => {
  const texts = keys.map(({ via, column, bucket, hasLabel }, index) => {
    const own = `v: ${column}${bucket ? `(bucket: ${bucket.toUpperCase()})` : ''}${hasLabel ? ` l: ${column}Label` : ''}`;
    if (via.length > 0) return `k${index}: ${via.reduceRight((inner, step) => `${step} { ${inner} }`, own)}`;
    return own.replace('v:', () => `k${index}:`).replace('l:', () => `l${index}:`);
  });
  const selected = (path: string) => path.split('.').reduceRight((inner, step) => `${step} { ${inner} }`);
  const folded = [...figures].map(([fold, paths]) => `${fold} { ${[...paths].map(selected).join(' ')} }`);
  return `g: ${field}${first === undefined ? '' : `(first: ${first})`} { totalCount pageInfo { hasNextPage hasPreviousPage }
    groups { count ${texts.length > 0 ? `key { ${texts.join(' ')} }` : ''} ${folded.join(' ')} } }`;
};

interface PlainGroups {
  readonly totalCount: number;
  readonly pageInfo: object;
  // biome-ignore lint/suspicious/noExplicitAny: groups have any shape
  readonly groups: readonly any[];
}

/** Groups in the shape of the schema, from the answer to a plain document. */
const groupsFrom = ({ totalCount, pageInfo, groups }: PlainGroups, { keys }: AskedGroups) => {
  const keyOf = (plain: Values, via: readonly string[]): object =>
    anyProperty((name) => (values: Values, _context: unknown, { returnType }: GraphQLResolveInfo) => {
      if (!isLeafType(getNamedType(returnType))) return keyOf(plain, [...via, name]);
      const bucket = values.bucket ?? undefined;
      const isHere = (key: AskedKey) => key.via.join() === via.join() && key.bucket === bucket;
      const index = keys.findIndex((key) => isHere(key) && key.column === name);
      const at = index >= 0 ? index : keys.findIndex((key) => isHere(key) && `${key.column}Label` === name);
      const short = index >= 0 ? 'v' : 'l';
      if (via.length === 0) return plain[`${short === 'v' ? 'k' : 'l'}${at}`];
      const inner = via.slice(1).reduce((value, step) => value[step] as Values, plain[`k${at}`] as Values);
      return inner[short];
    });
  /** A related row without selected columns is not in the plain answer. */
  const figuresOf = (plain: Values = {}): object =>
    anyProperty(
      (name) =>
        (_values: Values, _context: unknown, { returnType }: GraphQLResolveInfo) =>
          isLeafType(getNamedType(returnType)) ? plain[name] : figuresOf(plain[name] as Values | undefined),
    );
  const valuesOf = (group: Values) =>
    Object.fromEntries(valueFields.map((field) => [field, figuresOf(group[field] as Values | undefined)]));
  return { totalCount, pageInfo, groups: groups.map((group) => ({ ...group, ...valuesOf(group), key: keyOf(group.key ?? {}, []) })) };
};

export class ReferenceExecution {
  readonly samples: Samples;
  readonly #schema: GraphQLSchema;
  readonly #root: object;
  /** The recorded selection of groups at each path of a document; undefined outside the recording pass. */
  #noting: Map<string, AskedGroups> | undefined;
  #asked = new Map<string, AskedGroups>();

  private constructor(schema: GraphQLSchema, samples: Samples, root: (execution: ReferenceExecution) => object) {
    this.#schema = schema;
    this.samples = samples;
    this.#root = root(this);
  }

  static async over(ask: RunPlainDocument): Promise<ReferenceExecution> {
    const schema = plainSchema();
    const rows = new Map<string, Row[]>();
    for (const { name } of queryableTables) rows.set(name, await allRows(schema, ask, name));
    const byType = <T>(of: (table: Table) => T) => new Map(queryableTables.map((table) => [rowTypeName(table.name), of(table)]));
    const samples: Samples = {
      ids: byType(({ name }) => rows.get(name)!.map(({ id }) => id as string)),
      keys: byType(({ name, key }) => rows.get(name)!.map((row) => row[camelCase(key)])),
      cursors: byType(({ name }) => rows.get(name)!.map(({ __cursor }) => __cursor)),
    };
    const known = new Map<string, Promise<unknown>>();
    const askOnce: RunPlainDocument = (query) => {
      const answer = known.get(query) ?? ask(query);
      known.set(query, answer);
      return answer;
    };
    return new ReferenceExecution(schema, samples, (execution) => rootOf(execution, rows, askOnce));
  }

  get schema(): GraphQLSchema {
    return this.#schema;
  }

  /** The answer to a document: the first pass records the selection of groups, the second one uses their values. */
  async answer({ query, variables }: RandomDocument): Promise<ExecutionResult> {
    const asked = { schema: this.#schema, document: parse(query), rootValue: this.#root, variableValues: variables };
    this.#noting = new Map();
    await execute(asked);
    this.#asked = this.#noting;
    this.#noting = undefined;
    return execute(asked);
  }

  groups(table: Table, info: GraphQLResolveInfo, read: (asked: AskedGroups) => Promise<PlainGroups>): unknown {
    const place = placeOf(info);
    if (!this.#noting) {
      const asked = this.#asked.get(place)!;
      return read(asked).then((plain) => groupsFrom(plain, asked));
    }
    const asked = this.#noting.get(place) ?? { keys: [], figures: new Map() };
    this.#noting.set(place, asked);
    return { totalCount: 0, pageInfo: { hasNextPage: false, hasPreviousPage: false }, groups: [noted(table, asked)] };
  }
}

const allRows = async (schema: GraphQLSchema, ask: RunPlainDocument, table: string): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let after = ''; ; ) {
    const data = await ask(`{ ${camelCase(table)}(first: 1000, after: "${after}") { pageInfo { hasNextPage endCursor }
      edges { cursor node { ${leavesOf(schema, table).join(' ')} } } } }`);
    const { edges, pageInfo } = data[camelCase(table)];
    for (const { cursor, node } of edges) rows.push({ ...node, __typename: rowTypeName(table), __cursor: cursor });
    if (!pageInfo.hasNextPage) return rows;
    after = pageInfo.endCursor;
  }
};

const rootOf = (execution: ReferenceExecution, rowsOf: ReadonlyMap<string, readonly Row[]>, ask: RunPlainDocument): object => {
  const root: Record<string, unknown> = {};
  const byId = new Map<string, Row>();
  for (const [table, rows] of rowsOf) for (const row of rows) connectRow(execution, { table, row, rowsOf, ask });
  for (const table of queryableTables) {
    const rows = rowsOf.get(table.name)!;
    const field = camelCase(table.name);
    for (const row of rows) byId.set(row.id as string, row);
    root[field] = (values: PageArguments) => pageOf(rows, values);
    root[byIdName(table.name)] = (values: Values) =>
      rows.find((row) => String(row[camelCase(table.key)]) === String(Object.values(values)[0])) ?? null;
    root[groupsName(field)] = (values: PageArguments, _context: unknown, info: GraphQLResolveInfo) =>
      execution.groups(table, info, async (asked) => (await ask(`{ ${plainGroups(groupsName(field), values, asked)} }`)).g);
  }
  root.node = ({ id }: { readonly id: string }) => byId.get(id) ?? null;
  root.nodes = ({ ids }: { readonly ids: readonly string[] }) => ids.map((id) => byId.get(id) ?? null);
  root.rateLimit = null;
  const whole = (query: string, field: string) => ask(query).then((data) => data[field]);
  root.catalog = () => whole('{ catalog { category tables } }', 'catalog');
  root.me = () =>
    whole(
      '{ me { tier groups expiresAt quota { limit } tables { category table endpointUrl version rowCount syncedAt changedAt failedChecks { name severity count keys en de } } } }',
      'me',
    );
  root.changes = ({ since }: { readonly since: string }) =>
    whole(`{ changes(since: "${since}") { category table endpointUrl syncedAt changedAt rowCount version } }`, 'changes');
  root.lookupValues = ({ table, column }: { readonly table: string; readonly column: string }) =>
    whole(`{ lookupValues(table: "${table}", column: "${column}") { value label } }`, 'lookupValues');
  return root;
};

interface Connected {
  readonly table: string;
  readonly row: Row;
  readonly rowsOf: ReadonlyMap<string, readonly Row[]>;
  readonly ask: RunPlainDocument;
}

/** Rows by the value of a column. */
const indexes = new WeakMap<readonly Row[], Map<string, Map<unknown, Row[]>>>();
const rowsWith = (rows: readonly Row[], column: string, value: unknown): readonly Row[] => {
  const byColumn = indexes.get(rows) ?? new Map<string, Map<unknown, Row[]>>();
  indexes.set(rows, byColumn);
  const index = byColumn.get(column) ?? new Map<unknown, Row[]>();
  if (!byColumn.has(column)) for (const row of rows) index.set(row[column], [...(index.get(row[column]) ?? []), row]);
  byColumn.set(column, index);
  return value === null ? [] : (index.get(value) ?? []);
};

/** Adds relations to a row. */
const connectRow = (execution: ReferenceExecution, { table, row, rowsOf, ask }: Connected): void => {
  const own = row as Record<string, unknown>;
  const { key } = catalogue.tables.get(table)!;
  for (const { name, kind, column, target, targetColumn } of catalogue.relations.get(table)!) {
    const rows = rowsOf.get(target);
    if (!rows) continue;
    const led = () => rowsWith(rows, camelCase(targetColumn), row[camelCase(column)]);
    if (kind === 'to-one') {
      own[name] = () => led()[0] ?? null;
      continue;
    }
    own[name] = (values: PageArguments) => pageOf(led(), values);
    own[groupsName(name)] = (values: PageArguments, _context: unknown, info: GraphQLResolveInfo) =>
      execution.groups(catalogue.tables.get(target)!, info, async (asked) => {
        const parent = `${byIdName(table)}(${camelCase(key)}: ${JSON.stringify(row[camelCase(key)])})`;
        return (await ask(`{ p: ${parent} { ${plainGroups(groupsName(name), values, asked)} } }`)).p.g;
      });
  }
};
