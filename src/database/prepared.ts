/**
 * Bounds the prepared statements of a connection: each takes tens of kilobytes in its backend, and filters make many shapes.
 */
import pg from 'pg';

const statementsKept = 200;

/** What `pg` keeps of a connection's statements; its types do not show it. */
interface Connection {
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements?: Record<string, string>;
  close(what: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
}

/** The parts of `pg.Query` that this builds on; `@types/pg` does not describe them. */
declare class PgQuery {
  constructor(config: { text: string }, callback: (error: Error | null) => void);
  submit(connection: Connection): Error | null;
}
const Query = pg.Query as unknown as typeof PgQuery;

/** Closes a statement by the protocol, which poolers follow; `deallocate` would go to a server that may not know it. */
class CloseStatement extends Query {
  readonly #name: string;

  constructor(name: string, callback: (error: Error | null) => void) {
    super({ text: '' }, callback);
    this.#name = name;
  }

  override submit(connection: Connection): Error | null {
    connection.close({ type: 'S', name: this.#name });
    connection.sync();
    return null;
  }
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
  await new Promise<void>((resolve, reject) => {
    client.query(new CloseStatement(oldest, (error) => (error ? reject(error) : resolve())) as unknown as pg.Submittable);
  });
};
