/**
 * Session settings behind a transaction pooler. Each transaction may run in another session, so the database role must have the settings.
 */
import { OperatorError } from '../../errors.ts';
import type { Database } from './connection.ts';
import { callerSettings } from './session-settings.ts';

/** Throws an `OperatorError` with the SQL that adds the missing settings to the role. */
export const checkPooledSettings = async ({ pool }: Database, statementTimeoutMs: number): Promise<void> => {
  const { rows } = await pool.query<{ name: string; value: string; role: string }>(
    `select name, pg_catalog.current_setting(name) as value, pg_catalog.quote_ident(current_user) as role from unnest($1::text[]) as s (name)`,
    [[...Object.keys(callerSettings), 'statement_timeout']],
  );
  const wanted: Readonly<Record<string, string>> = { ...callerSettings, statement_timeout: `${statementTimeoutMs}ms` };
  // The operator chooses the statement timeout. Only the absence of a timeout is wrong.
  const lacking = rows.filter(({ name, value }) => (name === 'statement_timeout' ? value === '0' : value !== wanted[name]));
  if (lacking.length === 0) return;
  const statements = lacking.map(({ name, role }) => `alter role ${role} set ${name} = '${wanted[name]}';`);
  throw new OperatorError(
    `Behind a pooler (DATABASE_DIRECT_URL is set) sessions keep no settings, so the role needs them:\n${statements.join('\n')}\nThen reconnect the pooler to the server.`,
  );
};
