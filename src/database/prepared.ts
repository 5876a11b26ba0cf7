/**
 * Bounds the prepared statements of a connection: each takes tens of kilobytes in its backend, and filters make many shapes.
 */
import type pg from 'pg';
import { quote } from './identifier.ts';

const statementsKept = 200;

/** What `pg` keeps of a connection's statements; its types do not show it. */
interface Connection {
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements?: Record<string, string>;
}

/** Names by connection, the one used longest ago first. */
const used = new WeakMap<Connection, Set<string>>();

/** Notes that a named statement is about to run on this client, and forgets the one used longest ago when there are too many. */
export const touchStatement = async (client: pg.ClientBase, name: string): Promise<void> => {
  if (name === '') return;
  const { connection } = client as unknown as { connection: Connection };
  const names = used.get(connection) ?? new Set();
  used.set(connection, names);
  names.delete(name);
  names.add(name);
  if (names.size <= statementsKept) return;
  const [oldest = name] = names;
  names.delete(oldest);
  if (connection.parsedStatements[oldest] === undefined) return;
  delete connection.parsedStatements[oldest];
  delete connection.submittedNamedStatements?.[oldest];
  await client.query(`deallocate ${quote(oldest)}`);
};
