/**
 * Reads what was planned, level by level, as bytes.
 *
 * A level is read whole before the next: the values that lead to its relations are known together, so each relation is one
 * statement whatever the number of parents, and what few rows lead to is read along with them.
 */
import type { ByteRows } from '../read/byte-rows.ts';
import { totalName } from '../read/groups.ts';
import type { Plan } from '../read/plan.ts';
import type { Reader } from '../read/reader.ts';
import { linkOf } from './link.ts';
import type { OperationPlan } from './plan.ts';
import type { ConnectionSelection, RootSelection, RowField } from './selection.ts';

/** Rows of one table, and what their relations lead to. */
export interface LevelRows {
  readonly rows: ByteRows;
  /** Where in a row the values of this level begin. */
  readonly base: number;
  readonly related: ReadonlyMap<RowField, Related>;
}

/** The rows of one connection among those of its level. */
export interface ConnectionRows {
  /** Undefined where the document asks for no rows. */
  readonly level: LevelRows | undefined;
  readonly from: number;
  /** How many were read: one more than are shown tells that there are others beyond. */
  readonly count: number;
  readonly total: number;
}

export type Related =
  /** The row of the level that each row leads to; -1 for none. */
  | { readonly is: 'one'; readonly level: LevelRows; readonly rowOf: (row: number) => number }
  | { readonly is: 'many'; readonly connectionOf: (row: number) => ConnectionRows };

/** What reading one document shares. */
export interface Reading extends Pick<OperationPlan, 'plans' | 'places'> {
  readonly reader: Reader;
}

type One = Extract<RowField, { is: 'one' }>;
type Many = Extract<RowField, { is: 'many' }>;

const needsTotal = ({ fields }: ConnectionSelection) => fields.some(({ is }) => is === 'totalCount');
const needsRows = ({ fields }: ConnectionSelection) => fields.some(({ is }) => is === 'nodes' || is === 'edges' || is === 'pageInfo');

/** One row more than the page shows tells whether another follows, or precedes one that is read backward. */
const readLimit = ({ fields }: ConnectionSelection, { limit, isBackward }: Plan): number => {
  const telling = isBackward ? 'hasPreviousPage' : 'hasNextPage';
  return fields.some((field) => field.is === 'pageInfo' && field.fields.some(({ is }) => is === telling)) ? limit + 1 : limit;
};

/** Reads one connection at the root. */
export const readRoot = async (reading: Reading, { connection }: Extract<RootSelection, { is: 'rows' }>): Promise<ConnectionRows> => {
  const { reader, plans } = reading;
  const plan = plans.get(connection.level)!;
  const countAll = () => (needsTotal(connection) ? reader.count(plan) : 0);
  if (!needsRows(connection)) return { level: undefined, from: 0, count: 0, total: await countAll() };
  const rows = await reader.rows(plan, readLimit(connection, plan));
  const total = totalIn(plan, rows) ?? (await countAll());
  return { level: await levelOf(reading, connection.rowFields, rows, 0), from: 0, count: rows.count, total };
};

/** How many groups there are, as each of them tells; undefined where that is not asked for, or has to be counted. */
const totalIn = ({ groups, columns, after }: Plan, rows: ByteRows): number | undefined => {
  if (!groups?.isCounted) return undefined;
  if (rows.count > 0) return Number(rows.text(0, columns.indexOf(totalName)));
  return after ? undefined : 0;
};

export const levelOf = async (reading: Reading, fields: readonly RowField[], rows: ByteRows, base: number): Promise<LevelRows> => {
  const related = new Map<RowField, Related>();
  const level: LevelRows = { rows, base, related };
  // One after the other: a document has one connection.
  for (const field of fields) {
    if (field.is === 'one') related.set(field, await readOne(reading, field, level));
    if (field.is === 'many') related.set(field, await readMany(reading, field, level));
  }
  return level;
};

/** The values at a place of the rows, each once, and for each row the number of its value; -1 for null. */
const valuesAt = ({ rows, base }: LevelRows, at: number) => {
  const numbers = new Map<string, number>();
  const numberOf = new Int32Array(rows.count).fill(-1);
  for (let row = 0; row < rows.count; row++) {
    rows.find(row);
    // A row that was read along is there only if the value before it, which leads to it, is.
    if (base > 0 && rows.begins[base - 1]! < 0) continue;
    const value = rows.text(row, base + at);
    if (value === null) continue;
    const known = numbers.get(value);
    numberOf[row] = known ?? numbers.size;
    if (known === undefined) numbers.set(value, numbers.size);
  }
  return { numbers, numberOf };
};

const readOne = async (reading: Reading, field: One, parents: LevelRows): Promise<Related> => {
  const place = reading.places.get(field);
  if (place !== undefined) {
    const base = parents.base + place + 1;
    const level = await levelOf(reading, field.fields, parents.rows, base);
    const isThere = (row: number) => {
      parents.rows.find(row);
      return parents.rows.begins[base - 1]! >= 0;
    };
    return { is: 'one', level, rowOf: (row) => (isThere(row) ? row : -1) };
  }
  const { numbers, numberOf } = valuesAt(parents, field.at);
  const plan = reading.plans.get(field.level)!;
  const parentsOf = { link: linkOf(field.relation, field.level), values: [...numbers.keys()] };
  const rows = await reading.reader.rowsOf(parentsOf, plan, 1);
  const found = new Int32Array(numbers.size).fill(-1);
  for (let row = 0; row < rows.count; row++) found[numbers.get(rows.text(row, 0)!)!] = row;
  const level = await levelOf(reading, field.fields, rows, 1);
  return { is: 'one', level, rowOf: (row) => (numberOf[row]! < 0 ? -1 : found[numberOf[row]!]!) };
};

const readMany = async (reading: Reading, { connection, relation, at }: Many, parents: LevelRows): Promise<Related> => {
  const { numbers, numberOf } = valuesAt(parents, at);
  const plan = reading.plans.get(connection.level)!;
  // A row without a value leads to no rows, which without keys are one group all the same.
  const none = plan.groups?.keys.length === 0 && numberOf.includes(-1) ? numbers.size : -1;
  const values = [...numbers.keys(), ...(none < 0 ? [] : [null])];
  const parentsOf = { link: linkOf(relation, connection.level), values };
  const totals = needsTotal(connection) ? await reading.reader.countsOf(parentsOf, plan) : undefined;
  const from = new Int32Array(values.length);
  const counts = new Int32Array(values.length);
  let level: LevelRows | undefined;
  if (needsRows(connection)) {
    const rows = await reading.reader.rowsOf(parentsOf, plan, readLimit(connection, plan));
    // The rows of one parent follow each other.
    let number = none;
    for (let row = 0; row < rows.count; row++) {
      if (row === 0 || !rows.beginsAlike(row)) {
        number = numbers.get(rows.text(row, 0)!) ?? none;
        from[number] = row;
      }
      counts[number]!++;
    }
    level = await levelOf(reading, connection.rowFields, rows, 1);
  }
  // A row without a value of its own has the same empty connection as one that nothing leads to.
  const empty: ConnectionRows = { level, from: 0, count: 0, total: 0 };
  return {
    is: 'many',
    connectionOf: (row) => {
      const number = numberOf[row]! < 0 ? none : numberOf[row]!;
      return number < 0 ? empty : { level, from: from[number]!, count: counts[number]!, total: totals?.get(values[number]!) ?? 0 };
    },
  };
};
