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

/** A column of a result, as the server describes it. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** What is known of a statement on a connection. */
export interface Prepared {
  /** What its rows consist of, once the server has said so; of a named statement that stays as it is. */
  fields?: readonly Field[];
}

/** Statements by connection and name, the one used longest ago first. */
const used = new WeakMap<Connection, Map<string, Prepared>>();

/** Notes that a named statement is about to run on this client, and forgets the one used longest ago when there are too many. */
export const touchStatement = async (client: pg.ClientBase, name: string): Promise<Prepared> => {
  if (name === '') return {};
  const { connection } = client as unknown as { connection: Connection };
  const statements = used.get(connection) ?? new Map<string, Prepared>();
  used.set(connection, statements);
  const prepared = statements.get(name) ?? {};
  statements.delete(name);
  statements.set(name, prepared);
  if (statements.size > statementsKept) await forgetOldest(client, connection, statements);
  return prepared;
};

const forgetOldest = async (client: pg.ClientBase, connection: Connection, statements: Map<string, Prepared>): Promise<void> => {
  const [oldest = ''] = statements.keys();
  statements.delete(oldest);
  if (connection.parsedStatements[oldest] === undefined) return;
  delete connection.parsedStatements[oldest];
  delete connection.submittedNamedStatements?.[oldest];
  await new Promise<void>((resolve, reject) => {
    client.query(new CloseStatement(oldest, (error) => (error ? reject(error) : resolve())) as unknown as pg.Submittable);
  });
};
