/**
 * Writes the rows that were read as the JSON that the document asks for: from the socket's bytes to the answer's, without an
 * object in between. Generators pause between rows, so that a large answer is written in slices.
 */
import type { LookupName } from '../catalogue/lookups.ts';
import type { Cursors } from '../read/cursor.ts';
import type { JsonOut } from '../read/json-out.ts';
import { literal, widest, writeValue } from '../read/json-values.ts';
import { keysetOf } from '../read/keyset.ts';
import type { Plan } from '../read/plan.ts';
import { type Piece, putPiece, slack } from '../read/words.ts';
import { globalId } from './global-ids.ts';
import type { ConnectionRows, LevelRows, Reading } from './levels.ts';
import type { ConnectionSelection, EdgeField, PageInfoField, RootSelection, RowField } from './selection.ts';

/** Labels of coded values as JSON, by list and code. */
export type Labels = ReadonlyMap<LookupName, ReadonlyMap<string, Piece>>;

export interface Writing extends Pick<Reading, 'plans'> {
  readonly out: JsonOut;
  readonly cursors: Cursors;
  readonly labels: Labels;
}

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
    if (root.is === 'nodes' && root.isList) yield* writeList(writing.out, singles.length, (at) => writeSingle(writing, singles[at]));
    else yield* writeSingle(writing, singles[0]);
  } else if (root.is === 'rows') yield* writeConnection(writing, root.connection, found);
}

function* writeSingle(writing: Writing, single: SingleRow | undefined): Steps {
  if (single && single.found.count > 0) yield* writeRow(writing, single.fields, single.found.level!, single.found.from);
  else writing.out.put(literal.null);
}

const flatness = new WeakMap<readonly RowField[], boolean>();

/** Whether a row of these fields is written in one go: it holds no list. */
const isFlat = (fields: readonly RowField[]): boolean => {
  const known = flatness.get(fields);
  if (known !== undefined) return known;
  const flat = fields.every((field) => field.is !== 'many' && (field.is !== 'one' || isFlat(field.fields)));
  flatness.set(fields, flat);
  return flat;
};

/** Begins a field: what separates it from the one before, and its name. */
const begin = (out: JsonOut, index: number, name: Piece): void => {
  out.reserve(name.length + 1 + slack);
  out.view.setUint8(out.at++, index === 0 ? OPEN! : COMMA!);
  out.at = putPiece(out.view, out.at, name);
};

const writeFlatRow = (writing: Writing, fields: readonly RowField[], level: LevelRows, row: number): void => {
  const { out } = writing;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!;
    begin(out, index, field.name);
    if (field.is === 'part') {
      writeFlatRow(writing, field.fields, level, row);
      continue;
    }
    if (field.is !== 'one') {
      writeScalar(writing, field, level, row);
      continue;
    }
    const related = level.related.get(field);
    const target = related?.is === 'one' ? related.rowOf(row) : -1;
    if (target < 0) out.put(literal.null);
    else writeFlatRow(writing, field.fields, (related as { level: LevelRows }).level, target);
  }
  out.byte(CLOSE!);
};

function* writeRow(writing: Writing, fields: readonly RowField[], level: LevelRows, row: number): Steps {
  if (isFlat(fields)) {
    writeFlatRow(writing, fields, level, row);
    return;
  }
  const { out } = writing;
  for (const [index, field] of fields.entries()) {
    begin(out, index, field.name);
    const related = level.related.get(field);
    if (field.is === 'many' && related?.is === 'many') yield* writeConnection(writing, field.connection, related.connectionOf(row));
    else if (field.is === 'one' && related?.is === 'one') {
      const target = related.rowOf(row);
      if (target < 0) out.put(literal.null);
      else yield* writeRow(writing, field.fields, related.level, target);
    } else writeScalar(writing, field, level, row);
  }
  out.byte(CLOSE!);
}

/** Room for any literal, number sign or pair of quotes beside a value's own bytes. */
const margin = 32;

const writeScalar = ({ out, labels }: Writing, field: RowField, { rows, base }: LevelRows, row: number): void => {
  if (field.is === 'typename') out.json(JSON.stringify(field.type));
  if (field.is === 'id') out.json(JSON.stringify(globalId(field.table, rows.text(row, base + field.at)!)));
  if (field.is !== 'column' && field.is !== 'label') return;
  rows.find(row);
  const from = rows.begins[base + field.at]!;
  const end = rows.ends[base + field.at]!;
  if (from < 0) out.put(literal.null);
  else if (field.is === 'label') out.put(labels.get(field.lookup)?.get(rows.bytes.toString('utf8', from, end)) ?? literal.null);
  else {
    out.reserve((end - from) * widest + margin);
    out.at = writeValue(out.view, out.at, field.wire, rows.view, from, end);
  }
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
        yield* writeList(out, shown, (at) => writeRow(writing, field.fields, found.level!, from + at));
        break;
      case 'edges':
        yield* writeList(out, shown, (at) => writeEdge(writing, field.fields, found.level!, from + at, cursorOf));
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

function* writeList(out: JsonOut, count: number, writeItem: (at: number) => Steps): Steps {
  out.byte(LIST!);
  for (let at = 0; at < count; at++) {
    if (at > 0) out.byte(COMMA!);
    yield* writeItem(at);
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
    if (field.is === 'node') yield* writeRow(writing, field.fields, level, row);
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
