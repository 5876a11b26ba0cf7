/**
 * Writes rows as the JSON of the document. Bytes go from the socket to the response without objects. Generators pause between rows, so that
 * a large response is written in time slices.
 */
import type { Cursors } from '../../plan/cursor.ts';
import { keysetOf } from '../../plan/cursor.ts';
import type { Plan } from '../../plan/plan.ts';
import type { JsonOut } from '../../wire/json-out.ts';
import { literal } from '../../wire/json-values.ts';
import { globalId } from '../schema/global-ids.ts';
import type { ConnectionField, ConnectionSelection, EdgeField, PageInfoField, RootSelection, RowField } from '../selection/selection.ts';
import { layoutOf, type MadeField, type RowPart, type Steps, writeObject, writeRun } from './json-layout.ts';
import type { CodeLabels } from './labels.ts';
import type { ConnectionRows, LevelRows } from './levels.ts';
import type { LoadedRow, SingleRows } from './single-rows.ts';

export interface Writing {
  readonly out: JsonOut;
  readonly cursors: Cursors;
  readonly labels: CodeLabels;
  /** The number of values since the last pause. */
  values: number;
}

/** The number of values between two pauses, unless one row has more. A pause after each row would add 5% to the time of a flat list. */
const valuesAtOnce = 256;
/** A cursor counts as this many values, because signing it takes as long. */
const valuesOfCursor = 64;

const [LIST, LIST_END, COMMA] = [0x5b, 0x5d, 0x2c];

/** Writes the value of a root field of rows. */
export function* writeRoot(writing: Writing, root: RootSelection, found: ConnectionRows | SingleRows): Steps {
  if ('singles' in found) {
    const { singles } = found;
    if (root.is === 'nodes' && root.isList) yield* writeList(writing, singles.length, (at) => writeSingle(writing, singles[at]));
    else yield* writeSingle(writing, singles[0]) ?? [];
  } else if (root.is === 'rows') yield* writeConnection(writing, root.connection, found);
}

const writeSingle = (writing: Writing, single: LoadedRow | undefined): Steps | undefined => {
  if (single && single.row >= 0) return writeRow(writing, single.fields, single.level, single.row);
  writing.out.put(literal.null);
  return undefined;
};

/** Writes a row at once if it has no list. Otherwise returns the steps that write it. */
const writeRow = (writing: Writing, fields: readonly RowField[], level: LevelRows, row: number): Steps | undefined => {
  const { parts, isFlat } = layoutOf(fields);
  if (!isFlat) return writeInSteps(writing, parts, level, row);
  for (const part of parts) writePart(writing, part, level, row);
  return undefined;
};

function* writeInSteps(writing: Writing, parts: readonly RowPart[], level: LevelRows, row: number): Steps {
  for (const part of parts) {
    const steps = writePart(writing, part, level, row);
    if (steps) yield* steps;
  }
}

const writePart = (writing: Writing, part: RowPart, level: LevelRows, row: number): Steps | undefined => {
  const { out } = writing;
  writing.values += part.is === 'run' ? part.names.length : 1;
  if (part.is === 'run') {
    writeRun(out, part, level, row);
    return undefined;
  }
  if (part.is === 'end') {
    out.put(part.text);
    return undefined;
  }
  const { field, name } = part;
  out.put(name);
  if (field.is === 'part') return writeRow(writing, field.fields, level, row);
  if (field.is !== 'one' && field.is !== 'many') {
    writeMade(writing, field, level, row);
    return undefined;
  }
  const related = level.related[field.index]!;
  if (field.is === 'many' && related.is === 'many') return writeConnection(writing, field.connection, related.connectionOf(row));
  const target = related.is === 'one' ? related.rowOf(row) : -1;
  if (field.is === 'one' && related.is === 'one' && target >= 0) return writeRow(writing, field.fields, related.level, target);
  out.put(literal.null);
  return undefined;
};

/** Writes a value that is computed from a column. */
const writeMade = ({ out, labels }: Writing, field: MadeField, { rows, base }: LevelRows, row: number): void => {
  if (field.is === 'typename') out.json(JSON.stringify(field.type));
  if (field.is === 'id') out.json(JSON.stringify(globalId(field.table, rows.text(row, base + field.at)!)));
  if (field.is !== 'label') return;
  const code = rows.text(row, base + field.at);
  out.put((code !== null && labels.of(field, code)) || literal.null);
};

/** The inputs for writing one connection. */
interface Page {
  readonly found: ConnectionRows;
  /** The index of the first row on the page, and the number of rows. */
  readonly from: number;
  readonly shown: number;
  readonly cursorOf: (row: number) => string;
}

/** The rows on the page. The extra row comes last, or first if the page was read backward. */
const pageOf = (writing: Writing, found: ConnectionRows): Page => {
  const { plan, from, count, level } = found;
  const { limit, isBackward } = plan;
  return {
    found,
    from: from + (isBackward ? Math.max(0, count - limit) : 0),
    shown: Math.min(count, limit),
    cursorOf: cursorsOf(writing, plan, level),
  };
};

const writeConnection = (writing: Writing, { fields }: ConnectionSelection, found: ConnectionRows): Steps => {
  const page = pageOf(writing, found);
  writing.values += fields.length;
  return writeObject(writing.out, fields, (field) => writeConnectionField(writing, field, page));
};

const writeConnectionField = (writing: Writing, field: ConnectionField, page: Page): Steps | undefined => {
  const { out } = writing;
  const { found, from, shown } = page;
  switch (field.is) {
    case 'nodes':
      return writeList(writing, shown, (at) => writeRow(writing, field.fields, found.level!, from + at));
    case 'edges':
      return writeList(writing, shown, (at) => writeEdge(writing, field.fields, page, from + at));
    case 'pageInfo':
      return writePageInfo(writing, field.fields, page);
    case 'totalCount':
      out.json(String(found.total));
      return undefined;
    default:
      out.json(JSON.stringify(field.type));
      return undefined;
  }
};

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

const writeEdge = (writing: Writing, fields: readonly EdgeField[], { found, cursorOf }: Page, row: number): Steps =>
  writeObject(writing.out, fields, (field) => {
    if (field.is === 'node') return writeRow(writing, field.fields, found.level!, row);
    writing.values++;
    writing.out.json(JSON.stringify(field.is === 'cursor' ? cursorOf(row) : field.type));
    return undefined;
  });

/** The cursors of a plan's rows. */
const cursorsOf = (writing: Writing, plan: Plan, level: LevelRows | undefined): Page['cursorOf'] => {
  let keyset: ReturnType<typeof keysetOf> | undefined;
  return (row) => {
    writing.values += valuesOfCursor;
    keyset ??= keysetOf(writing.cursors, plan);
    return keyset.sign(plan.order.map(({ column }) => level!.rows.text(row, level!.base + plan.columns.indexOf(column))));
  };
};

const writePageInfo = (writing: Writing, fields: readonly PageInfoField[], { found, from, shown, cursorOf }: Page): Steps => {
  const { plan } = found;
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
  writing.values += fields.length;
  return writeObject(writing.out, fields, (field) => {
    writing.out.json(JSON.stringify(value(field)));
    return undefined;
  });
};
