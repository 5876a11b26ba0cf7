/** The log of what was done to customers and keys, by whom, and of sign-ins. It names keys by their public id only. */
import type { Kysely, Selectable } from 'kysely';
import type { ControlTables } from '../database/control.ts';

/** Who does something: a session of the portal or the command line. */
export interface Actor {
  readonly name: string;
  /** The network address that it was done from, where there is one. */
  readonly address?: string;
}

export const commandLine: Actor = { name: 'command line' };

export type AuditEntry = Selectable<ControlTables['audit_log']>;

type Control = Pick<Kysely<ControlTables>, 'insertInto' | 'selectFrom'>;

/** Writes an entry, inside the caller's transaction if `control` is one. */
export const recordAction = async (control: Control, { name, address }: Actor, action: string, subject: string): Promise<void> => {
  await control
    .insertInto('audit_log')
    .values({ actor: name, address: address ?? null, action, subject })
    .execute();
};

/** Entries, newest first; only those before the entry `before`, if it is given. */
export const readLog = (control: Control, limit: number, before?: number): Promise<AuditEntry[]> => {
  const newest = control.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(limit);
  return (before === undefined ? newest : newest.where('id', '<', before)).execute();
};
