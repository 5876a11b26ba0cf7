/**
 * Writes the rows that were read as the JSON that the document asks for: from the socket's bytes to the answer's, without an
 * object in between. Generators pause between rows now and then, so that a large answer is written in slices.
 */
import type { LookupName } from '../catalogue/lookups.ts';
import type { Cursors } from '../read/cursor.ts';
import type { JsonOut } from '../read/json-out.ts';
import { literal } from '../read/json-values.ts';
import { keysetOf } from '../read/keyset.ts';
import type { Plan } from '../read/plan.ts';
import type { Piece } from '../read/words.ts';
import { globalId } from './global-ids.ts';
import type { ConnectionRows, LevelRows, Reading } from './levels.ts';
import { layoutOf, type MadeField, type RowPart, writeRun } from './row-layout.ts';
import type { ConnectionSelection, EdgeField, PageInfoField, RootSelection, RowField } from './selection.ts';

/** Labels of coded values as JSON, by list and code. */
export type Labels = ReadonlyMap<LookupName, ReadonlyMap<string, Piece>>;

export interface Writing extends Pick<Reading, 'plans'> {
  readonly out: JsonOut;
  readonly cursors: Cursors;
  readonly labels: Labels;
  /** Values that have been written since the last pause. */
  values: number;
}

/** Between two pauses, unless a single row has more; a pause after each row takes a twentieth of a flat list's time. */
const valuesAtOnce = 256;

const [OPEN, CLOSE, LIST, LIST_END, COMMA] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c];

type Steps = Generator<void, void>;

interface SingleRow {
  readonly fields: readonly RowField[];
  readonly found: ConnectionRows;
}

/** The rows that a root field asks for by key. */
export interface SingleRows {
  readonly singles: readonly (SingleRow | undefined)[];
}

/** Writes the value of a root field of rows. */
export function* writeRoot(writing: Writing, root: RootSelection, found: ConnectionRows | SingleRows): Steps {
  if ('singles' in found) {
    const { singles } = found;
    if (root.is === 'nodes' && root.isList) yield* writeList(writing, singles.length, (at) => writeSingle(writing, singles[at]));
    else yield* writeSingle(writing, singles[0]);
  } else if (root.is === 'rows') yield* writeConnection(writing, root.connection, found);
}

function* writeSingle(writing: Writing, single: SingleRow | undefined): Steps {
  if (single && single.found.count > 0) yield* writeRow(writing, single.fields, single.found.level!, single.found.from) ?? [];
  else writing.out.put(literal.null);
}

/** Begins a field of what is no row: what separates it from the one before, and its name. */
const begin = (out: JsonOut, index: number, name: Piece): void => {
  out.byte(index === 0 ? OPEN! : COMMA!);
  out.put(name);
};

/** Writes a row: at once if it holds no list, otherwise in the steps that it gives back. */
const writeRow = (writing: Writing, fields: readonly RowField[], level: LevelRows, row: number): Steps | undefined => {
  const { parts, isFlat } = layoutOf(fields);
  if (!isFlat) return writeInSteps(writing, parts, level, row);
  for (const part of parts) writePart(writing, part, level, row);
  writing.out.byte(CLOSE!);
  return undefined;
};

function* writeInSteps(writing: Writing, parts: readonly RowPart[], level: LevelRows, row: number): Steps {
  for (const part of parts) {
    const steps = writePart(writing, part, level, row);
    if (steps) yield* steps;
  }
  writing.out.byte(CLOSE!);
}

const writePart = (writing: Writing, part: RowPart, level: LevelRows, row: number): Steps | undefined => {
  const { out } = writing;
  writing.values += part.is === 'run' ? part.names.length : 1;
  if (part.is === 'run') {
    writeRun(out, part, level, row);
    return undefined;
  }
  const { field, name } = part;
  out.put(name);
  if (field.is === 'part') return writeRow(writing, field.fields, level, row);
  if (field.is !== 'one' && field.is !== 'many') {
    writeMade(writing, field, level, row);
    return undefined;
  }
  const related = level.related.get(field);
  if (field.is === 'many' && related?.is === 'many') return writeConnection(writing, field.connection, related.connectionOf(row));
  const target = related?.is === 'one' ? related.rowOf(row) : -1;
  if (field.is === 'one' && related?.is === 'one' && target >= 0) return writeRow(writing, field.fields, related.level, target);
  out.put(literal.null);
  return undefined;
};

/** Writes a value that is made of a column's. */
const writeMade = ({ out, labels }: Writing, field: MadeField, { rows, base }: LevelRows, row: number): void => {
  if (field.is === 'typename') out.json(JSON.stringify(field.type));
  if (field.is === 'id') out.json(JSON.stringify(globalId(field.table, rows.text(row, base + field.at)!)));
  if (field.is !== 'label') return;
  const code = rows.text(row, base + field.at);
  out.put((code !== null && labels.get(field.lookup)?.get(code)) || literal.null);
};

/** The rows that a page shows of those that were read: what is beyond comes last, or first where it was read backward. */
const shownOf = ({ limit, isBackward }: Plan, { from, count }: ConnectionRows) => ({
  from: from + (isBackward ? Math.max(0, count - limit) : 0),
  shown: Math.min(count, limit),
});

function* writeConnection(writing: Writing, connection: ConnectionSelection, found: ConnectionRows): Steps {
  const { out, plans, cursors } = writing;
  const plan = plans.get(connection.level)!;
  const { from, shown } = shownOf(plan, found);
  const cursorOf = cursorsOf(cursors, plan, found.level);
  for (const [index, field] of connection.fields.entries()) {
    begin(out, index, field.name);
    switch (field.is) {
      case 'nodes':
        yield* writeList(writing, shown, (at) => writeRow(writing, field.fields, found.level!, from + at));
        break;
      case 'edges':
        yield* writeList(writing, shown, (at) => writeEdge(writing, field.fields, found.level!, from + at, cursorOf));
        break;
      case 'pageInfo':
        writePageInfo(out, field.fields, plan, found, cursorOf);
        break;
      case 'totalCount':
        out.json(String(found.total));
        break;
      default:
        out.json(JSON.stringify(field.type));
    }
  }
  out.byte(CLOSE!);
}

function* writeList(writing: Writing, count: number, writeItem: (at: number) => Steps | undefined): Steps {
  const { out } = writing;
  out.byte(LIST!);
  for (let at = 0; at < count; at++) {
    if (at > 0) out.byte(COMMA!);
    const steps = writeItem(at);
    if (steps) yield* steps;
    if (++writing.values < valuesAtOnce) continue;
    writing.values = 0;
    yield;
  }
  out.byte(LIST_END!);
}

function* writeEdge(
  writing: Writing,
  fields: readonly EdgeField[],
  level: LevelRows,
  row: number,
  cursorOf: (row: number) => string,
): Steps {
  const { out } = writing;
  for (const [index, field] of fields.entries()) {
    begin(out, index, field.name);
    if (field.is === 'node') yield* writeRow(writing, field.fields, level, row) ?? [];
    else out.json(JSON.stringify(field.is === 'cursor' ? cursorOf(row) : field.type));
  }
  out.byte(CLOSE!);
}

/** The cursors of a plan's rows. */
const cursorsOf = (cursors: Cursors, plan: Plan, level: LevelRows | undefined): ((row: number) => string) => {
  let keyset: ReturnType<typeof keysetOf> | undefined;
  return (row) => {
    keyset ??= keysetOf(cursors, plan);
    return keyset.sign(plan.order.map(({ column }) => level!.rows.text(row, level!.base + plan.columns.indexOf(column))));
  };
};

const writePageInfo = (
  out: JsonOut,
  fields: readonly PageInfoField[],
  plan: Plan,
  found: ConnectionRows,
  cursorOf: (row: number) => string,
): void => {
  const { from, shown } = shownOf(plan, found);
  const isBehind = plan.after !== undefined || plan.offset > 0;
  const hasMore = found.count > plan.limit;
  const value = (field: PageInfoField): unknown => {
    switch (field.is) {
      case 'hasNextPage':
        return plan.isBackward ? isBehind : hasMore;
      case 'hasPreviousPage':
        return plan.isBackward ? hasMore : isBehind;
      case 'startCursor':
        return shown > 0 ? cursorOf(from) : null;
      case 'endCursor':
        return shown > 0 ? cursorOf(from + shown - 1) : null;
      default:
        return field.type;
    }
  };
  for (const [index, field] of fields.entries()) {
    begin(out, index, field.name);
    out.json(JSON.stringify(value(field)));
  }
  out.byte(CLOSE!);
};
