/**
 * Refuses loads that would lose much of a table, and holds deliveries that differ much from the last one (contract: losses in loads;
 * surprises). A delivery that is cut off, filtered or damaged has the form of a right one, so its effect and its profile are compared.
 */
import type { HeldLosses } from '../database/control-tables.ts';
import { quote } from '../database/identifier.ts';
import { type ErrorText, OperatorError, onEachSurface, type Surface, textFor } from '../errors.ts';
import { total } from './changes/differences.ts';
import type { RawChange } from './changes/raw-changes.ts';
import { holdProfile, type KeptProfile, readProfile } from './profiles/kept-profiles.ts';
import { measureProfile } from './profiles/profile.ts';
import { type Surprise, surprisesOf } from './profiles/surprises.ts';
import type { Load } from './request.ts';
import { stagedName } from './staging/stage.ts';

/** A load may delete this share of a table's rows, or this number of them. */
const deletedShare = 0.2;
const fewDeleted = 10;

const number = (value: number): string => value.toLocaleString('en');

/** Whether the load has all rows of a table, so that it deletes the others. */
const isWhole = ({ source }: RawChange['staged'], { mode }: Load['request']): boolean => source?.isWhole ?? mode === 'full';

/** The words for too many deletions; undefined if the load may delete them. */
const tooManyDeleted = (rows: number, { inserted, deleted }: RawChange['counts']): string | undefined => {
  const left = rows - deleted + inserted;
  const words = `would delete ${number(deleted)} of ${number(rows)} rows, and the table would have ${number(left)}`;
  const isMuch = deleted > rows * deletedShare && deleted > fewDeleted;
  return isMuch || deleted === rows || left < rows / 2 ? words : undefined;
};

/** The columns that have values and would have none. */
const emptiedColumns = async ({ session: { client }, request }: Load, { staged, comparison }: RawChange): Promise<string[]> => {
  const { target, columns, source, emptyColumns } = staged;
  if (!isWhole(staged, request) || !comparison || !source || target.isNew) return [];
  // A required column has a value in every row: from the file, or the time of the load.
  const optional = [...target.columns].filter(([, { required }]) => !required).map(([column]) => column);
  const candidates = optional.filter((column) => !columns.includes(column) || emptyColumns.includes(column));
  if (candidates.length === 0) return [];
  const { rows } = await client.query<{ values: boolean[] | null }>(
    `select array[${candidates.map((column) => `coalesce(bool_or(${quote(column)} is not null), false)`).join(', ')}] as values
     from ${comparison.current}`,
  );
  return candidates.filter((_, index) => rows[0]?.values?.[index]);
};

interface Loss {
  readonly table: string;
  readonly of: keyof HeldLosses;
  readonly text: ErrorText;
}

/** A refusal that a person can lift: the delivery differs much from the data, or deletes rows. */
export class HeldLoad extends OperatorError {
  /** The tables whose losses the person must allow. */
  readonly losses: HeldLosses;

  constructor(text: ErrorText, losses: HeldLosses) {
    super(text);
    this.losses = losses;
  }
}

const examples = 10;

/** The keys of the first rows that a delivery deletes. */
const deletedKeys = async ({ client }: Load['session'], { counts, comparison }: RawChange): Promise<string> => {
  const { rows } = await client.query<{ key: string }>(
    `select key::text as key from ${comparison!.changed} c where op = 'delete' order by c.key limit ${examples}`,
  );
  return `${rows.map(({ key }) => key).join(', ')}${counts.deleted > rows.length ? ', …' : ''}`;
};

/** The words for deletions that nobody has allowed. A share that the source states holds in place of the other limits. */
const lossOfRows = async ({ session, request }: Load, rows: number, change: RawChange): Promise<string | undefined> => {
  const { staged, counts } = change;
  const { maxDeleted } = staged.source ?? {};
  const asks = request.confirmDeletes && isWhole(staged, request);
  if (maxDeleted === undefined && !asks) return tooManyDeleted(rows, counts);
  if (maxDeleted !== undefined && counts.deleted <= (rows * maxDeleted) / 100) return undefined;
  const stated = maxDeleted === undefined ? '' : `, and its source allows ${maxDeleted} per cent`;
  const keys = asks ? `: ${await deletedKeys(session, change)}` : '';
  return `would delete ${number(counts.deleted)} of ${number(rows)} rows${stated}${keys}`;
};

/** A loss or a difference with what allows it. The page of a load asks a person who confirms deleted rows. */
const allowedBy = ({ confirmDeletes = false }: Load['request'], text: string, remedy: Readonly<Record<Surface, string>>): ErrorText =>
  confirmDeletes ? text : onEachSurface((surface) => `${text}${remedy[surface]}`);

/** The losses of each table, with their figures. */
const lossesOf = async (load: Load, changes: readonly RawChange[]): Promise<readonly Loss[]> => {
  const { session, request } = load;
  const allowed = (text: string, what: 'deletes' | 'empty-columns', table: string) =>
    allowedBy(request, text, { commandLine: `. To allow it: --allow-${what} ${table}`, portal: '. The page of the load asks for it' });
  const losses: Loss[] = [];
  for (const change of changes) {
    const { table, isNew } = change.staged.target;
    if (!change.comparison || isNew) continue;
    const confirmed = request.confirmedDeletes && (request.confirmedDeletes[table] ?? 0);
    if (confirmed !== undefined && change.counts.deleted > confirmed)
      losses.push({
        table,
        of: 'deletes',
        text: `${table}: the load would delete ${number(change.counts.deleted)} rows, and ${number(confirmed)} were confirmed`,
      });
    else if (change.counts.deleted > 0 && confirmed === undefined && !request.allowDeletes?.includes(table)) {
      const { rows } = await session.client.query<{ rows: number }>(`select count(*) as rows from ${change.comparison.current}`);
      const all = rows[0]?.rows ?? 0;
      const words = await lossOfRows(load, all, change);
      if (words !== undefined) losses.push({ table, of: 'deletes', text: allowed(`${table}: the load ${words}`, 'deletes', table) });
    }
    if (request.allowEmptyColumns?.includes(table)) continue;
    const emptied = await emptiedColumns(load, change);
    if (emptied.length > 0)
      losses.push({
        table,
        of: 'emptyColumns',
        text: allowed(`${table}: the load has no values for ${emptied.join(', ')}, and the table has`, 'empty-columns', table),
      });
  }
  return losses;
};

/** A delivery of one table with its differences from the last one. */
interface Judged {
  readonly kept: KeptProfile;
  readonly surprises: readonly Surprise[];
}

/** Measures a delivery. Undefined if it changes nothing or has no rows. */
const judge = async ({ session, request }: Load, { staged, comparison, counts }: RawChange): Promise<Judged | undefined> => {
  const { client, customer } = session;
  const { target, source, rows } = staged;
  if (!comparison || !source || rows === undefined || total(counts) === 0) return undefined;
  const whole = isWhole(staged, request);
  const columns = staged.columns.flatMap((name) => {
    const known = target.columns.get(name);
    return known && name !== target.key ? [{ name, ...known }] : [];
  });
  const measure = (from: string, part: string) =>
    measureProfile(client, { table: target.table, from, columns, sample: stagedName(session, target.table, part) });
  const name = { table: target.table, source: request.checks?.source ?? '', isWhole: whole };
  const now = await measure(rows, 'sample');
  // Rows that a version without profiles has loaded are the last delivery.
  const current = () => (request.mode === 'full' && !target.isNew ? measure(comparison.current, 'current sample') : undefined);
  const before = (await readProfile(client, customer.schema_name, name)) ?? (await current());
  const isAllowed = ({ kind }: Surprise): boolean =>
    (kind === 'fewer rows' &&
      (request.allowDeletes?.includes(target.table) || request.confirmedDeletes !== undefined || source.maxDeleted !== undefined)) ||
    (kind === 'nulls' && request.allowEmptyColumns?.includes(target.table) === true);
  const surprises = before ? surprisesOf(before, now, whole).filter((one) => !isAllowed(one)) : [];
  return { kept: { ...name, profile: now }, surprises };
};

const wordsOf = ({ kept: { table }, surprises }: Judged): readonly string[] =>
  surprises.map(({ column, words }) => `${column === undefined ? table : `${table}.${column}`}: ${words}`);

/**
 * Throws a `HeldLoad` that names all losses and surprises. A delivery with surprises is kept as held, so that a person can accept it.
 * Gives the profiles to keep with the load.
 */
export const refuseUnexpected = async (load: Load, changes: readonly RawChange[], run: number): Promise<readonly KeptProfile[]> => {
  const { session, request } = load;
  const losses = await lossesOf(load, changes);
  const judged: Judged[] = [];
  for (const change of changes) {
    const one = await judge(load, change);
    // Lost rows are named as a loss, which `accept` does not allow.
    const isLost = losses.some(({ table }) => table === one?.kept.table);
    if (one) judged.push({ ...one, surprises: one.surprises.filter(({ kind }) => !isLost || kind === 'other') });
  }
  const held = request.accept ? [] : judged.filter(({ surprises }) => surprises.length > 0);
  for (const one of request.dryRun ? [] : held)
    await holdProfile(session.client, session.customer.schema_name, one.kept, { run, surprises: wordsOf(one) });
  const surprises = held.flatMap(wordsOf);
  const reason = allowedBy(request, 'The delivery is held: ordinary changes do not explain the differences.', {
    commandLine: ' If it is right: --accept',
    portal: ' If it is right: the page of the load asks for it.',
  });
  const lines = [...losses.map(({ text }) => text), ...surprises, ...(surprises.length > 0 ? [reason] : [])];
  const tablesOf = (kind: Loss['of']) => losses.filter(({ of }) => of === kind).map(({ table }) => table);
  if (lines.length > 0)
    throw new HeldLoad(
      onEachSurface((surface) => lines.map((line) => textFor(surface, line)).join('\n')),
      { deletes: tablesOf('deletes'), emptyColumns: tablesOf('emptyColumns') },
    );
  return judged.map(({ kept }) => kept);
};
