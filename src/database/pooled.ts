/**
 * What a transaction pooler takes away: a session's settings. Each transaction may run in another server's session, so the role has to
 * have what the service would set itself.
 */
import { OperatorError } from '../errors.ts';
import { callerSettings, type Database } from './connection.ts';

/** Throws an `OperatorError` that says in SQL what the role lacks. */
export const checkPooledSettings = async ({ pool }: Database, statementTimeoutMs: number): Promise<void> => {
  const { rows } = await pool.query<{ name: string; value: string; role: string }>(
    `select name, pg_catalog.current_setting(name) as value, pg_catalog.quote_ident(current_user) as role from unnest($1::text[]) as s (name)`,
    [[...Object.keys(callerSettings), 'statement_timeout']],
  );
  const wanted: Readonly<Record<string, string>> = { ...callerSettings, statement_timeout: `${statementTimeoutMs}ms` };
  // How long statements may take is the operator's; only for ever is wrong.
  const lacking = rows.filter(({ name, value }) => (name === 'statement_timeout' ? value === '0' : value !== wanted[name]));
  if (lacking.length === 0) return;
  const statements = lacking.map(({ name, role }) => `alter role ${role} set ${name} = '${wanted[name]}';`);
  throw new OperatorError(
    `Behind a pooler (DATABASE_DIRECT_URL is set) sessions keep no settings, so the role needs them:\n${statements.join('\n')}\nThen reconnect the pooler to the server.`,
  );
};
