/**
 * Reads the planned rows level by level, as bytes.
 *
 * Each level is read completely before the next. The link values of a relation are then all known, so each relation needs one statement for
 * any number of parents. When a level has few rows, its statement also reads their to-one relations.
 */
import type { Reader } from '../../execute/reader.ts';
import { totalName } from '../../plan/groups/groups.ts';
import type { Plan } from '../../plan/plan.ts';
import type { ByteRows } from '../../wire/byte-rows.ts';
import type { ConnectionSelection, Level, RelationField } from '../selection/selection.ts';
import type { LevelPlan, RelationPlan } from './plan.ts';

/** Rows of one table, and the rows of their relations. */
export interface LevelRows {
  readonly rows: ByteRows;
  /** The index in a row at which the values of this level begin. */
  readonly base: number;
  /** In the order of the level's relations. */
  readonly related: readonly Related[];
}

/** The rows of one connection, as a range of the rows of its level. */
export interface ConnectionRows {
  readonly plan: Plan;
  /** Undefined if the document requests no rows. */
  readonly level: LevelRows | undefined;
  readonly from: number;
  /** The number of rows that were read. One more than the page shows means that another page exists. */
  readonly count: number;
  readonly total: number;
}

export type Related =
  /** Maps a row to the index of its related row in the level; -1 for none. */
  | { readonly is: 'one'; readonly level: LevelRows; readonly rowOf: (row: number) => number }
  | { readonly is: 'many'; readonly connectionOf: (row: number) => ConnectionRows };

/** The shared state for reading one document. */
export interface LevelsReading {
  readonly reader: Reader;
  /** Runs work in time slices. The work yields between its steps. */
  readonly inSlices: (work: Iterator<unknown>) => Promise<void>;
}

type One = Extract<RelationField, { is: 'one' }>;
type Many = Extract<RelationField, { is: 'many' }>;

const needsTotal = ({ fields }: ConnectionSelection) => fields.some(({ is }) => is === 'totalCount');
const needsRows = ({ fields }: ConnectionSelection) => fields.some(({ is }) => is === 'nodes' || is === 'edges' || is === 'pageInfo');

/** One extra row shows whether another page follows, or precedes a page that is read backward. */
const readLimit = ({ fields }: ConnectionSelection, { limit, isBackward }: Plan): number => {
  const name = isBackward ? 'hasPreviousPage' : 'hasNextPage';
  return fields.some((field) => field.is === 'pageInfo' && field.fields.some(({ is }) => is === name)) ? limit + 1 : limit;
};

/** Reads one connection at the root. */
export const readConnection = async (
  reading: LevelsReading,
  connection: ConnectionSelection,
  levelPlan: LevelPlan,
): Promise<ConnectionRows> => {
  const { reader } = reading;
  const { plan } = levelPlan;
  const countAll = () => (needsTotal(connection) ? reader.count(plan) : 0);
  if (!needsRows(connection)) return { plan, level: undefined, from: 0, count: 0, total: await countAll() };
  const rows = await reader.rows(plan, readLimit(connection, plan));
  const total = totalIn(plan, rows) ?? (await countAll());
  return { plan, level: await readLevel(reading, connection.level, levelPlan, rows, 0), from: 0, count: rows.count, total };
};

/** The number of groups, which each group row contains. Undefined if it is not requested or needs a separate statement. */
const totalIn = ({ groups, columns, after }: Plan, rows: ByteRows): number | undefined => {
  if (!groups?.isCounted) return undefined;
  if (rows.count > 0) return Number(rows.text(0, columns.indexOf(totalName)));
  return after ? undefined : 0;
};

/** Reads the relations of rows whose values begin at `base`. */
export const readLevel = async (
  reading: LevelsReading,
  { relations }: Level,
  levelPlan: LevelPlan,
  rows: ByteRows,
  base: number,
): Promise<LevelRows> => {
  const related: Related[] = [];
  const level: LevelRows = { rows, base, related };
  // Sequential, because a document has one connection.
  for (const [index, field] of relations.entries()) {
    const relationPlan = levelPlan.relations[index]!;
    related.push(
      field.is === 'one' ? await readOne(reading, field, relationPlan, level) : await readMany(reading, field, relationPlan, level),
    );
  }
  return level;
};

/** Rows between two pauses. */
const rowsAtOnce = 256;

/** Visits the rows in time slices, because a level can have a hundred thousand of them. */
const eachRow = ({ inSlices }: LevelsReading, { count }: ByteRows, visit: (row: number) => void): Promise<void> => {
  const steps = function* () {
    for (let row = 0; row < count; row++) {
      visit(row);
      if (row % rowsAtOnce === rowsAtOnce - 1) yield;
    }
  };
  return inSlices(steps());
};

/** The distinct values of one column, and for each row the number of its value; -1 for null. */
const valuesAt = async (reading: LevelsReading, { rows, base }: LevelRows, at: number) => {
  const numbers = new Map<string, number>();
  const numberOf = new Int32Array(rows.count).fill(-1);
  await eachRow(reading, rows, (row) => {
    const value = rows.text(row, base + at);
    if (value === null) return;
    const known = numbers.get(value);
    numberOf[row] = known ?? numbers.size;
    if (known === undefined) numbers.set(value, numbers.size);
  });
  return { numbers, numberOf };
};

const readOne = async (reading: LevelsReading, field: One, levelPlan: RelationPlan, parents: LevelRows): Promise<Related> => {
  const { plan, link, position } = levelPlan;
  if (position !== undefined) {
    const base = parents.base + position + 1;
    const level = await readLevel(reading, field.level, levelPlan, parents.rows, base);
    const isThere = (row: number) => {
      parents.rows.find(row);
      return parents.rows.begins[base - 1]! >= 0;
    };
    return { is: 'one', level, rowOf: (row) => (isThere(row) ? row : -1) };
  }
  const { numbers, numberOf } = await valuesAt(reading, parents, field.at);
  const rows = await reading.reader.rowsOf({ link, values: [...numbers.keys()] }, plan, 1);
  const found = new Int32Array(numbers.size).fill(-1);
  await eachRow(reading, rows, (row) => {
    found[numbers.get(rows.text(row, 0)!)!] = row;
  });
  const level = await readLevel(reading, field.level, levelPlan, rows, 1);
  return { is: 'one', level, rowOf: (row) => (numberOf[row]! < 0 ? -1 : found[numberOf[row]!]!) };
};

const readMany = async (
  reading: LevelsReading,
  { connection, at }: Many,
  levelPlan: RelationPlan,
  parents: LevelRows,
): Promise<Related> => {
  const { plan, link } = levelPlan;
  const { numbers, numberOf } = await valuesAt(reading, parents, at);
  // A row without a value has no related rows. Without group keys, no rows still form one group.
  const none = plan.groups?.keys.length === 0 && numberOf.includes(-1) ? numbers.size : -1;
  const values = [...numbers.keys(), ...(none < 0 ? [] : [null])];
  const parentsOf = { link, values };
  const totals = needsTotal(connection) ? await reading.reader.countsOf(parentsOf, plan) : undefined;
  const from = new Int32Array(values.length);
  const counts = new Int32Array(values.length);
  let level: LevelRows | undefined;
  if (needsRows(connection)) {
    const rows = await reading.reader.rowsOf(parentsOf, plan, readLimit(connection, plan));
    // The rows of one parent are adjacent.
    let number = none;
    await eachRow(reading, rows, (row) => {
      if (row === 0 || !rows.beginsAlike(row)) {
        number = numbers.get(rows.text(row, 0)!) ?? none;
        from[number] = row;
      }
      counts[number]!++;
    });
    level = await readLevel(reading, connection.level, levelPlan, rows, 1);
  }
  // A row without a value has the same empty connection as a row without related rows.
  const empty: ConnectionRows = { plan, level, from: 0, count: 0, total: 0 };
  return {
    is: 'many',
    connectionOf: (row) => {
      const number = numberOf[row]! < 0 ? none : numberOf[row]!;
      return number < 0 ? empty : { plan, level, from: from[number]!, count: counts[number]!, total: totals?.get(values[number]!) ?? 0 };
    },
  };
};
