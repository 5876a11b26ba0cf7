/**
 * The process that reads what came over HTTP: it parses source files, unpacks, scans, maps and checks. It has no database, no secret, and may
 * read one folder. The service ends it at its limits (`reading-process.ts`).
 *
 * It is bundled into one text (`scripts/worker-script.mjs`), which the service sends to its standard input.
 */
import { once } from 'node:events';
import { Socket } from 'node:net';
import { OperatorError } from '../../errors.ts';
import { Rejection, shown } from '../../sync/files/rejections.ts';
import { findDelivery } from '../../sync/files/source-files.ts';
import { textLines } from '../../sync/files/text.ts';
import { plainFile } from '../../sync/staging/plain-file.ts';
import { answered, renamed, withKnownColumns } from '../draft/answers.ts';
import type { SeenColumn } from '../draft/doubt.ts';
import { draftFiles } from '../draft/draft.ts';
import type { ColumnProfile } from '../draft/lists/profile.ts';
import { understand, understandDraft } from '../draft/understand.ts';
import { listFiles } from '../files/named-files.ts';
import { keptCell } from '../loading/kept-cells.ts';
import { isRejected, type MappedBatch, type MappedRow, mappedRows, noCounts, type RejectedRow, type Watch } from '../mapped-rows.ts';
import { type Origin, parseSource, refuseReach, type Source } from '../source-file.ts';
import { unreadOf } from '../unread.ts';
import { longestRow } from './limits.ts';
import { type Answers, type Reply, type Request, type RowsPart, receivedMapping, receivedTarget, type SentRow } from './protocol.ts';

const send = async (reply: Reply): Promise<void> => {
  if (!process.stdout.write(`${JSON.stringify(reply)}\n`)) await once(process.stdout, 'drain');
};

/** The characters of rows in one message. */
const batchLength = 256 * 1024;
const batchRows = 1_000;

const lengthOfValues = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 1), 0);

interface Sending<T> {
  /** The name of the file in messages. */
  readonly name: string;
  /** In characters. */
  readonly lengthOf: (row: T) => number;
  readonly sendBatch: (rows: readonly T[]) => Promise<void>;
  /** Sends what must stand before the row. The rows before it have been sent. */
  readonly before?: { readonly isNeeded: () => boolean; readonly send: () => Promise<void> };
}

/** Sends rows in messages of a bounded size. */
async function sendRows<T extends { readonly line: number | undefined }>(
  batches: AsyncIterable<readonly T[]>,
  { name, lengthOf, sendBatch, before }: Sending<T>,
): Promise<void> {
  let [batch, length]: [T[], number] = [[], 0];
  const flush = async () => {
    if (batch.length > 0) await sendBatch(batch);
    [batch, length] = [[], 0];
  };
  for await (const rows of batches)
    for (const row of rows) {
      const size = lengthOf(row);
      if (size > longestRow) throw new OperatorError(`${shown(name)}, line ${row.line}: the row has more than ${longestRow} characters.`);
      if (before?.isNeeded()) {
        await flush();
        await before.send();
      }
      batch.push(row);
      length += size;
      if (length >= batchLength || batch.length >= batchRows) await flush();
    }
  await flush();
  if (before?.isNeeded()) await before.send();
}

/** A row without its list. */
const sentRow = (row: MappedRow | RejectedRow): SentRow => {
  const cells = row.cells.map(keptCell);
  if (isRejected(row)) {
    const { file, line, key, reasons } = row;
    return { file, line, key, reasons, cells };
  }
  const { file, line, key, references, order, watermark, isDeleted, fields } = row;
  const text = fields.bytes.toString('utf8', fields.start, fields.end);
  return { file, line, key, references, order, watermark, isDeleted, fields: text, cells };
};

/** Sends each list before its rows. */
const sendMapped = async (rows: AsyncIterable<MappedBatch>, name: string, opened: RowsPart[]): Promise<void> =>
  sendRows(rows, {
    name,
    lengthOf: (row) => (isRejected(row) ? lengthOfValues(row.cells) : row.fields.end - row.fields.start),
    sendBatch: (batch) => send({ part: { rows: batch.map(sentRow) } satisfies RowsPart }),
    before: {
      isNeeded: () => opened.length > 0,
      send: async () => {
        for (const part of opened.splice(0)) await send({ part });
      },
    },
  });

/** The values of a column that pages show, and the characters of all of them. */
const seenValues = 30;
const longestSeen = 80;
const seenCharacters = 500_000;

/** Values of columns as they are, as long as all of them are within the limit. */
const valuesWithin = (limit: number): ((column: ColumnProfile) => SeenColumn) => {
  let left = limit;
  return ({ name, different, sample }) => {
    const whole = different <= seenValues && [...sample].every((value) => value.length <= longestSeen);
    const values = left <= 0 ? [] : [...sample].slice(0, seenValues).map((value) => value.slice(0, longestSeen));
    left -= lengthOfValues(values);
    return { name, values, isWhole: whole && values.length === different };
  };
};

/** The paths of a delivery are relative, so messages name no folder of the machine. */
const folder = '.';
let source: Source | undefined;

/** The files of a delivery that is one archive are those of the archive, unless the source itself names files in archives. */
const inArchive = (read: Source, [archive, ...others]: readonly string[]): Source => {
  const origins = read.tables.flatMap((rule) => [rule, ...(rule.lists ?? [])]);
  if (archive === undefined || others.length > 0 || !/\.zip$/i.test(archive) || origins.some(({ path = '' }) => /\.zip\//i.test(path)))
    return read;
  const within = <Rule extends Pick<Origin, 'path'>>(rule: Rule): Rule =>
    rule.path === undefined ? rule : { ...rule, path: `*${archive.slice(-4)}/${rule.path}` };
  return { ...read, tables: read.tables.map((rule) => ({ ...within(rule), ...(rule.lists && { lists: rule.lists.map(within) }) })) };
};

/** Answers a request. The parts are sent on the way; the result is the end. */
const answers: {
  readonly [Do in keyof Answers]: (request: Extract<Request, { do: Do }>) => Promise<Answers[Do]['end']> | Answers[Do]['end'];
} = {
  source: ({ text, name }) => {
    source = parseSource(text, name);
    refuseReach(source, name);
    source = inArchive(source, listFiles(folder));
    return source;
  },
  rows: async ({ mapping, since }) => {
    if (!source) throw new Error('rows are asked for before the source');
    const counts = noCounts(mapping.columns.length);
    const opened: RowsPart[] = [];
    const watch: Watch = {
      counts,
      opened: ({ name, columns, facts, notes }, unused, table) =>
        void opened.push({ list: { name, columns, ...(facts && { facts }), ...(notes && { notes }) }, unused, table }),
    };
    const mapped = mappedRows(source, folder, receivedMapping(mapping), watch, since);
    await sendMapped(mapped, mapping.rule.path ?? mapping.rule.table, opened);
    return counts;
  },
  unread: async () => {
    if (!source) throw new Error('files are asked for before the source');
    return unreadOf(source, folder);
  },
  draft: async ({ text: given }) => {
    const { text: drafted, questions, lists, unread } = await draftFiles(folder, (reads) => send({ part: { reads } }));
    const see = valuesWithin(seenCharacters);
    const recognised = lists.map(({ name, origin, profile, proposals }) => ({
      name,
      origin,
      columns: profile.columns.map(see),
      rows: profile.rows,
      tables: [...new Set(proposals.map(({ table }) => table))],
    }));
    const text = given ?? withKnownColumns(drafted, recognised);
    return { text, questions, lists: recognised, unread, understood: understandDraft(text, recognised) };
  },
  understand: ({ text, lists, change }) => {
    const changed = !change ? text : 'answer' in change ? answered(text, lists, change.answer) : renamed(text, change.name);
    return { text: changed, understood: understand(changed, lists) };
  },
  files: () => findDelivery([folder], 'rows'),
  columns: async ({ file }) => plainFile(file).readColumns(),
  header: async ({ file, columns, target, mode }) => {
    await plainFile(file).checkHeader(columns, receivedTarget(target), mode);
    return null;
  },
  copy: async ({ file, columns, target, timeZone }) => {
    let count = 0;
    const read = (more: number) => {
      count += more;
    };
    const text = plainFile(file).copyText(columns, { target: receivedTarget(target), timeZone, read, seen: () => {} });
    for (;;) {
      const next = await text.next();
      if (next.done) return { emptyColumns: next.value.emptyColumns, incompleteTimes: next.value.incompleteTimes };
      await send({ part: { text: next.value.toString('utf8'), rows: count } });
      count = 0;
    }
  },
  batches: async ({ file }) => {
    await sendRows(plainFile(file).read(), {
      name: file.name,
      lengthOf: ({ values }) => lengthOfValues(values),
      sendBatch: (part) => send({ part }),
    });
    return null;
  },
};

const answer = async (request: Request): Promise<void> => {
  try {
    const run = answers[request.do] as (request: Request) => unknown;
    await send({ end: await run(request) });
  } catch (error) {
    if (error instanceof OperatorError) await send({ refused: error.text });
    else if (error instanceof Rejection)
      await send({ refused: `${request.do === 'rows' ? `${request.mapping.rule.table}: ` : ''}${error.reason}` });
    else await send({ failed: (error as Error).name });
  }
};

const requests = new Socket({ fd: 3, readable: true, writable: false });
// The service is gone: nobody reads the answer.
process.stdout.on('error', () => process.exit(0));
requests.on('close', () => process.exit(0));
const answerAll = async (): Promise<void> => {
  for await (const line of textLines(requests)) await answer(JSON.parse(line) as Request);
  process.exit(0);
};
void answerAll();
