/** Bounds the named statements of a connection. Each takes tens of kilobytes in its backend, and filters create many shapes. */
import type pg from 'pg';
import { connectionOf, type Field, type ProtocolConnection, Query } from './pg-internals.ts';

const maxStatements = 200;

/** Closes a statement by a protocol message, which poolers follow. A pooler may send `deallocate` to another server. */
class CloseStatement extends Query {
  readonly #name: string;

  constructor(name: string, callback: (error: Error | null) => void) {
    super({ text: '' }, [], callback);
    this.#name = name;
  }

  override submit(connection: ProtocolConnection): Error | null {
    connection.close({ type: 'S', name: this.#name });
    connection.sync();
    return null;
  }
}

/** A named statement of a connection. */
export interface Prepared {
  /** The columns of the result, after the server has described them. They do not change for a named statement. */
  fields?: readonly Field[];
}

/** Statements by connection and name. The least recently used comes first. */
const used = new WeakMap<ProtocolConnection, Map<string, Prepared>>();

/** Registers the use of a named statement on this client. Closes the least recently used statement if there are too many. */
export const touchStatement = async (client: pg.ClientBase, name: string): Promise<Prepared> => {
  if (name === '') return {};
  const connection = connectionOf(client);
  const statements = used.get(connection) ?? new Map<string, Prepared>();
  used.set(connection, statements);
  const prepared = statements.get(name) ?? {};
  statements.delete(name);
  statements.set(name, prepared);
  if (statements.size > maxStatements) await forgetOldest(client, connection, statements);
  return prepared;
};

const forgetOldest = async (client: pg.ClientBase, connection: ProtocolConnection, statements: Map<string, Prepared>): Promise<void> => {
  const [oldest = ''] = statements.keys();
  statements.delete(oldest);
  if (connection.parsedStatements[oldest] === undefined) return;
  delete connection.parsedStatements[oldest];
  delete connection.submittedNamedStatements?.[oldest];
  await new Promise<void>((resolve, reject) => {
    client.query(new CloseStatement(oldest, (error) => (error ? reject(error) : resolve())) as unknown as pg.Submittable);
  });
};
