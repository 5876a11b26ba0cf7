/**
 * Reads what was planned and gives it the shape that the document asked for.
 *
 * A level is read whole before the next: the values that lead to its relations are known together, so each relation is one
 * statement whatever the number of parents, and what few rows lead to is read along with them. That is what a DataLoader
 * gathers from many calls; here nothing needs gathering.
 */
import type { LookupName } from '../catalogue/lookups.ts';
import type { Cursors } from '../read/cursor.ts';
import { keysetOf } from '../read/keyset.ts';
import type { ByLink, RowReader } from '../read/row-reader.ts';
import { type RowsPlan, type TextRow, widthOf } from '../read/rows-plan.ts';
import { jsonValueOf } from '../read/text-rows.ts';
import type { Shaped } from './builder.ts';
import { linkOf } from './link.ts';
import { type OperationPlan, rowFieldsOf } from './plan.ts';
import type { ConnectionSelection, EdgeField, Level, PageInfoField, RootSelection, RowField } from './selection.ts';

/** What reading one request shares. */
export interface Reading {
  readonly reader: RowReader;
  readonly cursors: Cursors;
  readonly plans: OperationPlan['plans'];
  readonly places: OperationPlan['places'];
  readonly labels: ReadonlyMap<LookupName, ReadonlyMap<string, string>>;
}

/** Shaped values of relations, by field and by the text of the value that leads there. */
type Related = ReadonlyMap<RowField, ByLink<unknown>>;
type Shape = (row: TextRow) => Shaped;

const planOf = ({ plans }: Reading, level: Level): RowsPlan => plans.get(level)!;

/** Reads one root field of rows. */
export const readRoot = async (reading: Reading, root: RootSelection): Promise<unknown> => {
  if (root.is === 'rows') return readConnection(reading, root.connection);
  if (root.is !== 'row') return undefined;
  const rows = await reading.reader.rows(planOf(reading, root.level), root.level.table.key, 1);
  const shape = await shapeRows(reading, root.fields, rows);
  return rows[0] ? shape(rows[0]) : null;
};

const readConnection = async (reading: Reading, connection: ConnectionSelection): Promise<Shaped> => {
  const plan = planOf(reading, connection.level);
  const [rows, total] = await Promise.all([
    needsRows(connection) ? reading.reader.rows(plan, connection.level.table.key, readLimit(connection, plan)) : [],
    needsTotal(connection) ? reading.reader.count(plan) : 0,
  ]);
  return (await shapeConnections(reading, connection, rows))(rows, total);
};

const needsTotal = ({ fields }: ConnectionSelection) => fields.some(({ is }) => is === 'totalCount');
const needsRows = ({ fields }: ConnectionSelection) => fields.some(({ is }) => is === 'nodes' || is === 'edges' || is === 'pageInfo');

/** One row more than the page shows tells whether another follows. */
const readLimit = ({ fields }: ConnectionSelection, { limit }: RowsPlan): number =>
  fields.some((field) => field.is === 'pageInfo' && field.fields.some(({ is }) => is === 'hasNextPage')) ? limit + 1 : limit;

/** Reads the relations of a level's rows; gives back what turns a row into its shape. */
const shapeRows = async (reading: Reading, fields: readonly RowField[], rows: readonly TextRow[]): Promise<Shape> => {
  const related = await relate(reading, fields, rows);
  return (row) => shapeRow(reading, fields, row, related);
};

const relate = async (reading: Reading, fields: readonly RowField[], rows: readonly TextRow[]): Promise<Related> => {
  const found = fields.map(async (field): Promise<readonly [RowField, ByLink<unknown>][]> => {
    if (field.is !== 'one' && field.is !== 'many') return [];
    return [[field, await (field.is === 'one' ? relateOne(reading, field, rows) : relateMany(reading, field, valuesAt(field.at, rows)))]];
  });
  return new Map((await Promise.all(found)).flat());
};

/** The values at a place of the rows, each once, nulls left out. */
const valuesAt = (at: number, rows: readonly TextRow[]): readonly string[] => {
  const values = new Set<string>();
  for (const row of rows) if (row[at] != null) values.add(row[at]!);
  return [...values];
};

type One = Extract<RowField, { is: 'one' }>;
type Many = Extract<RowField, { is: 'many' }>;

/** The rows that a relation leads to, by the value that leads there: read along with their parents, or by themselves. */
const rowsOfOne = async (reading: Reading, { at, relation, level }: One, parents: readonly TextRow[], place: number | undefined) => {
  const plan = planOf(reading, level);
  if (place === undefined) {
    const found = await reading.reader.linkedRows(plan, linkOf(relation, level), valuesAt(at, parents), 1);
    return new Map([...found].map(([value, rows]) => [value, rows[0]!]));
  }
  const found = new Map<string, TextRow>();
  const width = widthOf(plan);
  for (const row of parents) {
    const value = row[at];
    if (value != null && row[place] !== null && !found.has(value)) found.set(value, row.slice(place + 1, place + 1 + width));
  }
  return found;
};

const relateOne = async (reading: Reading, field: One, parents: readonly TextRow[]): Promise<ByLink<unknown>> => {
  const found = await rowsOfOne(reading, field, parents, reading.places.get(field));
  const shape = await shapeRows(reading, field.fields, [...found.values()]);
  return new Map([...found].map(([value, row]) => [value, shape(row)]));
};

const relateMany = async (reading: Reading, field: Many, values: readonly string[]): Promise<ByLink<unknown>> => {
  const { connection } = field;
  const plan = planOf(reading, connection.level);
  const link = linkOf(field.relation, connection.level);
  const [found, totals] = await Promise.all([
    needsRows(connection) ? reading.reader.linkedRows(plan, link, values, readLimit(connection, plan)) : new Map<string, TextRow[]>(),
    needsTotal(connection) ? reading.reader.linkedCounts(plan, link, values) : new Map<string, number>(),
  ]);
  const shape = await shapeConnections(reading, connection, [...found.values()].flat());
  // A parent without a value of its own has the same empty connection as one that nothing leads to.
  return new Map([...values, noValue].map((value) => [value, shape(found.get(value) ?? [], totals.get(value) ?? 0)]));
};

/** Stands for the null of a parent that a to-many relation starts from; no column holds it. */
const noValue = '\0';

const shapeRow = ({ labels }: Reading, fields: readonly RowField[], row: TextRow, related: Related): Shaped => {
  const shaped: Record<string, unknown> = {};
  for (const field of fields) {
    if (field.is === 'typename') {
      shaped[field.key] = field.name;
      continue;
    }
    const text = row[field.at] ?? null;
    if (field.is === 'column') shaped[field.key] = text === null ? null : jsonValueOf[field.kind](text);
    else if (field.is === 'label') shaped[field.key] = text === null ? null : (labels.get(field.lookup)?.get(text) ?? null);
    else shaped[field.key] = related.get(field)?.get(text ?? noValue) ?? null;
  }
  return shaped;
};

type ShapeConnection = (rows: readonly TextRow[], total: number) => Shaped;

/** Reads the relations of all rows of a level; gives back what turns one parent's rows into a connection. */
const shapeConnections = async (reading: Reading, connection: ConnectionSelection, all: readonly TextRow[]): Promise<ShapeConnection> => {
  const plan = planOf(reading, connection.level);
  const related = await relate(reading, rowFieldsOf(connection), all);
  const keyset = keysetOf(reading.cursors, plan);
  const positions = plan.order.map(({ column }) => plan.columns.indexOf(column));
  const cursorOf = (row: TextRow): string => keyset.sign(positions.map((at) => row[at] ?? null));
  const edge = (fields: readonly EdgeField[], row: TextRow) =>
    shape(fields, (field) => {
      if (field.is === 'typename') return field.name;
      return field.is === 'cursor' ? cursorOf(row) : shapeRow(reading, field.fields, row, related);
    });
  return (rows, total) => {
    const page = rows.length > plan.limit ? rows.slice(0, plan.limit) : rows;
    return shape(connection.fields, (field) => {
      switch (field.is) {
        case 'nodes':
          return page.map((row) => shapeRow(reading, field.fields, row, related));
        case 'edges':
          return page.map((row) => edge(field.fields, row));
        case 'pageInfo':
          return shapePageInfo(field.fields, plan, page, { hasNextPage: rows.length > page.length, cursorOf });
        default:
          return field.is === 'totalCount' ? total : field.name;
      }
    });
  };
};

const shapePageInfo = (
  fields: readonly PageInfoField[],
  plan: RowsPlan,
  page: readonly TextRow[],
  { hasNextPage, cursorOf }: { hasNextPage: boolean; cursorOf: (row: TextRow) => string },
): Shaped => {
  const cursorAt = (row: TextRow | undefined) => (row ? cursorOf(row) : null);
  return shape(fields, (field) => {
    switch (field.is) {
      case 'hasNextPage':
        return hasNextPage;
      case 'hasPreviousPage':
        return plan.after !== undefined || plan.offset > 0;
      case 'startCursor':
        return cursorAt(page[0]);
      case 'endCursor':
        return cursorAt(page.at(-1));
      default:
        return field.name;
    }
  });
};

const shape = <F extends { readonly key: string }>(fields: readonly F[], value: (field: F) => unknown): Shaped => {
  const shaped: Record<string, unknown> = {};
  for (const field of fields) shaped[field.key] = value(field);
  return shaped;
};
