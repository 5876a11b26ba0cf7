/** The audit log of changes to customers, keys and data, and of sign-ins. It contains public ids of keys only, and it is append-only. */
import { hostname, userInfo } from 'node:os';
import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { ControlTables } from '../database/control-tables.ts';

/** Who acts: a portal session or the command line. */
export interface Actor {
  readonly name: string;
  /** The network address; on the command line, the machine's name. */
  readonly address?: string;
}

/** In a container, the user may have a number and no name. */
const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
};

export const commandLine: Actor = { name: `command line (${userName()})`, address: hostname() };

export type AuditEntry = Selectable<ControlTables['audit_log']>;

type Control = Kysely<ControlTables>;

const entryOf = (control: Pick<Control, 'insertInto'>, { name, address }: Actor, action: string, subject: string) =>
  control.insertInto('audit_log').values({ actor: name, address: address ?? null, action, subject });

/** Writes an entry, in the caller's transaction if `control` is one. */
export const recordAction = async (control: Pick<Control, 'insertInto'>, actor: Actor, action: string, subject: string): Promise<void> => {
  await entryOf(control, actor, action, subject).execute();
};

/** An entry of the audit log as a statement, for a transaction of a `pg` client. */
export const actionStatement = (control: Control, actor: Actor, action: string, subject: string) => {
  const { sql: text, parameters } = entryOf(control, actor, action, subject).compile();
  return { text, values: [...parameters] };
};

/** The filter of a search in the log. */
export interface LogFilter {
  /** Part of the actor, address, action or subject; empty for all entries. */
  readonly search?: string;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
}

const narrow = <O>(log: SelectQueryBuilder<ControlTables, 'audit_log', O>, { search = '', from, until }: LogFilter) => {
  const isFound = sql<boolean>`strpos(lower(concat_ws(' ', actor, address, action, subject)), lower(${search}::text)) > 0`;
  return log
    .$if(search !== '', (all) => all.where(isFound))
    .$if(from !== undefined, (all) => all.where('at', '>=', from as Date))
    .$if(until !== undefined, (all) => all.where('at', '<', until as Date));
};

export interface LogPart {
  readonly limit: number;
  readonly offset?: number;
  readonly isOldestFirst?: boolean;
}

/** Reads entries, newest first by default. */
export const readLog = (
  control: Control,
  filter: LogFilter,
  { limit, offset = 0, isOldestFirst = false }: LogPart,
): Promise<AuditEntry[]> =>
  narrow(control.selectFrom('audit_log').selectAll(), filter)
    .orderBy('id', isOldestFirst ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

export const countLog = async (control: Control, filter: LogFilter): Promise<number> => {
  const { total } = await narrow(
    control.selectFrom('audit_log').select(sql<number>`count(*)::bigint`.as('total')),
    filter,
  ).executeTakeFirstOrThrow();
  return total;
};

const exportedAtOnce = 1_000;

/** Reads all entries in batches, oldest first. Entries that are added meanwhile may be included; none is missing or repeated. */
export async function* exportLog(control: Control, filter: LogFilter): AsyncGenerator<AuditEntry> {
  for (let after = 0; ; ) {
    const part = await narrow(control.selectFrom('audit_log').selectAll(), filter)
      .where('id', '>', after)
      .orderBy('id')
      .limit(exportedAtOnce)
      .execute();
    yield* part;
    if (part.length < exportedAtOnce) return;
    after = part.at(-1)?.id ?? after;
  }
}
