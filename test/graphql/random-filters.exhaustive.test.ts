/**
 * Random filters through relations, orders and pages, compared with an independent evaluation of the same rows in memory. It shares only
 * the catalogue with the program (contract: GraphQL filters; GraphQL order; GraphQL cursors).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Table } from '../../src/catalogue/table.ts';
import { camelCase, rowTypeName } from '../../src/graphql/schema/names.ts';
import { onServer } from '../support/database.ts';
import { Random } from '../support/random.ts';
import { rounds, seed } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { ask } from './client.ts';
import { conditionsUsed, conditionVariables, excluded, included } from './conditions.ts';

const questions = rounds(onServer ? 2_000 : 200);

let service: TestService;
type Row = Readonly<Record<string, string | null>>;
const rowsOf = new Map<string, readonly Row[]>();

beforeAll(async () => {
  service = await startService();
  for (const { name, columns } of catalogue.tables.values()) {
    const texts = Object.keys(columns).map((column) => `${column}::text as ${column}`);
    rowsOf.set(name, (await service.database.pool.query(`select ${texts.join()} from customer_nord.${name}`)).rows);
  }
});
afterAll(() => service.stop());

const random = new Random(seed);
const below = (count: number): number => random.below(count);
const oneOf = <T>(values: readonly T[]): T => random.oneOf(values);
const several = <T>(max: number, make: () => T): T[] => Array.from({ length: below(max + 1) }, make);

/** True, false, or null for SQL's unknown. */
type Truth = boolean | null;
const and = (parts: readonly Truth[]): Truth => (parts.includes(false) ? false : parts.includes(null) ? null : true);
const or = (parts: readonly Truth[]): Truth => (parts.includes(true) ? true : parts.includes(null) ? null : false);
const not = (part: Truth): Truth => (part === null ? null : !part);

const compare = (kind: string, one: string, other: string): number => {
  if (kind === 'integer' || kind === 'bigint' || kind === 'number') return Number(one) - Number(other);
  if (kind === 'timestamp') return Date.parse(one) - Date.parse(other);
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
};

/** A filter as a variable, and its evaluation on a row. */
interface Filter {
  readonly input: unknown;
  readonly holds: (row: Row) => Truth;
}

const indexes = new Map<string, Map<string | null, Row[]>>();
const rowsBy = (table: string, column: string, value: string | null): readonly Row[] => {
  const name = `${table}.${column}`;
  const known = indexes.get(name) ?? new Map<string | null, Row[]>();
  if (!indexes.has(name)) for (const row of rowsOf.get(table)!) known.set(row[column]!, [...(known.get(row[column]!) ?? []), row]);
  indexes.set(name, known);
  return value === null ? [] : (known.get(value) ?? []);
};

const asInput = (kind: string, text: string): unknown => {
  if (kind === 'integer' || kind === 'number') return Number(text);
  if (kind === 'boolean') return text === 'true' || text === 't';
  return kind === 'timestamp' ? text.replace(' ', 'T').replace(/[+]00$/, 'Z') : text;
};

const columnFilter = (table: Table): Filter => {
  const column = oneOf(Object.keys(table.columns));
  const { kind } = table.columns[column]!;
  const values = rowsOf.get(table.name)!.flatMap((row) => row[column] ?? []);
  const some = values.length > 0 ? oneOf(values) : undefined;
  const wrap = (input: object, holds: Filter['holds']): Filter => ({ input: { [camelCase(column)]: input }, holds });
  const known =
    (test: (value: string) => boolean) =>
    (row: Row): Truth =>
      row[column] === null ? null : test(row[column]!);
  const way = below(10);
  if (some === undefined || way === 0) {
    const isNull = random.next() < 0.5;
    return wrap({ isNull }, (row) => (row[column] === null) === isNull);
  }
  if (way === 1) return wrap({ eq: null }, () => null);
  if (way === 2) {
    const list = several(4, () => oneOf(values));
    return wrap({ in: list.map((text) => asInput(kind, text)) }, (row) =>
      list.length === 0 ? false : known((value) => list.some((text) => compare(kind, value, text) === 0))(row),
    );
  }
  if (kind === 'string' && way < 6) {
    const part = [...some].slice(0, 1 + below(4)).join('');
    if (way === 3)
      return wrap(
        { startsWith: part },
        known((value) => value.startsWith(part)),
      );
    if (way === 4)
      return wrap(
        { contains: part },
        known((value) => value.includes(part)),
      );
    const loud = part.toUpperCase();
    return wrap(
      { iContains: loud },
      known((value) => value.toLowerCase().includes(loud.toLowerCase())),
    );
  }
  const tests = {
    eq: (n: number) => n === 0,
    ne: (n: number) => n !== 0,
    gt: (n: number) => n > 0,
    lte: (n: number) => n <= 0,
    gte: (n: number) => n >= 0,
  };
  const operator = oneOf(kind === 'boolean' ? (['eq', 'ne'] as const) : (Object.keys(tests) as (keyof typeof tests)[]));
  return wrap(
    { [operator]: asInput(kind, some) },
    known((value) => tests[operator](compare(kind, value, some))),
  );
};

/** The number of relations in the current query. */
let taken = 0;
const maxSteps = 8;

const relationFilter = (table: Table, depth: number): Filter => {
  taken++;
  const { name, kind, column, target, targetColumn } = oneOf(catalogue.relations.get(table.name)!);
  const there = catalogue.tables.get(target)!;
  const rows = (row: Row) => rowsBy(target, targetColumn, row[column]!);
  if (kind === 'to-one') {
    const { input, holds } = filter(there, depth - 1);
    return { input: { [name]: input }, holds: (row) => rows(row).some((other) => holds(other) === true) };
  }
  const asked = (['some', 'none', 'every'] as const)
    .filter(() => random.next() < 0.5)
    .map((quantifier) => ({ quantifier, ...filter(there, depth - 1) }));
  if (random.next() < 0.25) {
    const { input, holds } = filter(there, depth - 1);
    const operator = oneOf(['eq', 'ne', 'gt', 'lte'] as const);
    const number = below(4);
    const tests = {
      eq: (n: number) => n === number,
      ne: (n: number) => n !== number,
      gt: (n: number) => n > number,
      lte: (n: number) => n <= number,
    };
    return {
      input: { [name]: { count: { filter: input, is: { [operator]: number } } } },
      holds: (row) => tests[operator](rows(row).filter((other) => holds(other) === true).length),
    };
  }
  const parts = asked.map(({ quantifier, holds }) => (row: Row): Truth => {
    const found = rows(row).map((other) => holds(other) === true);
    return quantifier === 'some' ? found.includes(true) : quantifier === 'none' ? !found.includes(true) : !found.includes(false);
  });
  return {
    input: { [name]: Object.fromEntries(asked.map(({ quantifier, input }) => [quantifier, input])) },
    holds: (row) => and(parts.map((part) => part(row))),
  };
};

const filter = (table: Table, depth: number): Filter => {
  const way = below(10);
  if (depth > 0 && way < 4 && catalogue.relations.get(table.name)!.length > 0) return relationFilter(table, depth);
  if (depth > 0 && way === 4) {
    const { input, holds } = filter(table, depth - 1);
    return { input: { not: input }, holds: (row) => not(holds(row)) };
  }
  if (depth > 0 && way < 7) {
    const parts = several(3, () => filter(table, depth - 1));
    const joined = way === 5 ? and : or;
    return {
      input: { [way === 5 ? 'and' : 'or']: parts.map(({ input }) => input) },
      holds: (row) => joined(parts.map(({ holds }) => holds(row))),
    };
  }
  return way === 9 ? { input: {}, holds: () => true } : columnFilter(table);
};

interface Step {
  readonly input: unknown;
  readonly kind: string;
  readonly isDescending: boolean;
  readonly textOf: (row: Row | undefined) => string | null;
  readonly column?: string;
}

const orderStep = (table: Table, depth: number): Step => {
  const ones = catalogue.relations.get(table.name)!.filter(({ kind }) => kind === 'to-one');
  if (depth > 0 && ones.length > 0 && random.next() < 0.5) {
    taken++;
    const { name, column, target, targetColumn } = oneOf(ones);
    const { column: _, ...inner } = orderStep(catalogue.tables.get(target)!, depth - 1);
    return {
      ...inner,
      input: { [name]: inner.input },
      textOf: (row) => inner.textOf(row && rowsBy(target, targetColumn, row[column]!)[0]),
    };
  }
  const [column, { kind }] = oneOf(Object.entries(table.columns));
  const isDescending = random.next() < 0.5;
  return {
    input: { [camelCase(column)]: isDescending ? 'DESC' : 'ASC' },
    kind,
    isDescending,
    column,
    textOf: (row) => row?.[column] ?? null,
  };
};

const compareBy = (table: Table, steps: readonly Step[]) => {
  const isDescending = steps.at(-1)?.isDescending ?? false;
  const rest = (table.sort.length > 0 ? table.sort : [table.key])
    .filter((column) => !steps.some((step) => step.column === column))
    .map((column): Step => ({ input: {}, kind: table.columns[column]!.kind, isDescending, textOf: (row) => row![column]! }));
  return (one: Row, other: Row): number => {
    for (const { kind, isDescending: descends, textOf } of [...steps, ...rest]) {
      const [a, b] = [textOf(one), textOf(other)];
      if (a === null && b === null) continue;
      if (a === null || b === null) return a === null ? 1 : -1;
      const found = compare(kind, a, b);
      if (found !== 0) return descends ? -found : found;
    }
    return 0;
  };
};

interface Question {
  readonly table: Table;
  readonly filter: unknown;
  readonly orderBy: readonly unknown[];
  readonly count: number;
  readonly isBackward: boolean;
  /** Keys of all matching rows, in order. */
  readonly wanted: readonly string[];
}

const tables = [...catalogue.tables.values()];

const question = (): Question => {
  taken = 0;
  const table = oneOf(tables);
  const { input, holds } = filter(table, 3);
  const required = table.requiredFilters.map((column) => {
    const values = [...new Set(rowsOf.get(table.name)!.map((row) => Number(row[column])))];
    return { [camelCase(column)]: { in: values } };
  });
  const steps = several(3, () => orderStep(table, 2));
  // Several queries share one document, within its limits.
  if (taken > maxSteps) return question();
  const wanted = rowsOf
    .get(table.name)!
    .filter((row) => holds(row) === true)
    .sort(compareBy(table, steps))
    .map((row) => row[table.key]!);
  const orderBy = steps.map((step) => step.input);
  return { table, filter: { and: [...required, input] }, orderBy, count: 1 + below(6), isBackward: random.next() < 0.4, wanted };
};

interface Page {
  readonly totalCount: number;
  readonly nodes: readonly Readonly<Record<string, unknown>>[];
  readonly pageInfo: { readonly startCursor: string | null; readonly endCursor: string | null };
}

/** A page of each query, after these cursors, in one document. */
const pagesOf = async (asked: readonly Question[], cursors: readonly (string | null)[]): Promise<readonly Page[]> => {
  const declared = asked.map(({ table }, n) => {
    const type = rowTypeName(table.name);
    return `$f${n}: ${type}Filter, $o${n}: [${type}OrderBy!], $c${n}: String`;
  });
  const fields = asked.map(({ table, count, isBackward }, n) => {
    const [size, position] = isBackward ? ['last', 'before'] : ['first', 'after'];
    return `q${n}: ${camelCase(table.name)}(filter: $f${n}, orderBy: $o${n}, ${size}: ${count}, ${position}: $c${n}) {
      totalCount ${excluded(below)} ... ${included(below)} { totalCount nodes { __typename ${excluded(below)} } }
      nodes { key: ${camelCase(table.key)} ${included(below)} } pageInfo ${included(below)} { startCursor endCursor } }`;
  });
  const variables = Object.fromEntries(
    asked.flatMap(({ filter: where, orderBy }, n) => [
      [`f${n}`, where],
      [`o${n}`, orderBy],
      [`c${n}`, cursors[n]],
    ]),
  );
  const { data, errors } = await ask(
    service,
    `query (${declared.join()}, ${conditionVariables}) { ${conditionsUsed} ${fields.join(' ')} }`,
    { variables },
  );
  expect(errors, JSON.stringify(variables)).toEqual([]);
  return asked.map((_, n) => data[`q${n}`]);
};

/** The keys and the number of rows that the REST request of a query has. Undefined if REST cannot say the query. */
const answerOfRest = async ({ table, filter: where, orderBy, count }: Question) => {
  const type = rowTypeName(table.name);
  const query = `query ($f: ${type}Filter, $o: [${type}OrderBy!]) {
    ${camelCase(table.name)}(filter: $f, orderBy: $o, first: ${count}) { nodes { ${camelCase(table.key)} } } }`;
  const { data } = await ask(service, query, { variables: { f: where, o: orderBy }, path: '/graphql/rest' });
  const path: string | undefined = data.requests[0].path;
  if (path === undefined) return undefined;
  const { status, headers, json } = await service.get(path);
  expect([path, status]).toEqual([path, 200]);
  return { total: Number(headers.get('x-total-count')), keys: json.map((row: Record<string, unknown>) => String(row[table.key])) };
};

test(`${questions} random queries of seed ${seed} have equal answers`, { timeout: 3_600_000 }, async () => {
  const atOnce = 3;
  let [matching, followed, inRest] = [0, 0, 0];
  for (let done = 0; done < questions; done += atOnce) {
    const asked = Array.from({ length: atOnce }, question);
    const first = await pagesOf(asked, []);
    const cursors = first.map(({ pageInfo }, n) => (asked[n]!.isBackward ? pageInfo.startCursor : pageInfo.endCursor));
    const second = await pagesOf(asked, cursors);
    for (const [n, { table, filter: where, orderBy, count, isBackward, wanted }] of asked.entries()) {
      const about = `${table.name} ${JSON.stringify({ where, orderBy, isBackward })}`;
      const keys = ({ nodes }: Page) => nodes.map(({ key }) => String(key));
      const page = (number: number) =>
        isBackward
          ? wanted.slice(Math.max(0, wanted.length - (number + 1) * count), Math.max(0, wanted.length - number * count))
          : wanted.slice(number * count, (number + 1) * count);
      expect(first[n]!.totalCount, about).toBe(wanted.length);
      expect(keys(first[n]!), about).toEqual(page(0));
      // Without rows there is no cursor, so the same page is requested again.
      if (wanted.length > 0) expect(keys(second[n]!), about).toEqual(page(1));
      const rest = await answerOfRest(asked[n]!);
      if (rest) expect(rest, about).toEqual({ total: wanted.length, keys: wanted.slice(0, count) });
      if (rest) inRest++;
      matching += Math.min(1, wanted.length);
      followed += Math.min(1, second[n]!.nodes.length);
    }
  }
  // The queries must distinguish rows.
  expect(matching).toBeGreaterThan(questions / 4);
  expect(followed).toBeGreaterThan(questions / 8);
  expect(inRest).toBeGreaterThan(questions / 4);
});
