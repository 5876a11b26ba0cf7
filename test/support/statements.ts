/** The statements that a test's process sends to the database. */
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';

/** Records the text of every statement until the returned function is called. */
const note = (statements: string[]): (() => void) => {
  const { query } = pg.Client.prototype;
  const noting = function (this: pg.Client, ...values: [string | { text?: string }]) {
    const [first] = values;
    statements.push(typeof first === 'string' ? first : (first.text ?? ''));
    return (query as (...values: unknown[]) => unknown).apply(this, values);
  };
  pg.Client.prototype.query = noting as never;
  return () => {
    pg.Client.prototype.query = query;
  };
};

/** Records the text of every statement until the end of the test file. */
export const recordStatements = (): string[] => {
  const statements: string[] = [];
  let end: () => void;
  beforeAll(() => {
    end = note(statements);
  });
  afterAll(() => end());
  return statements;
};

const isOnTables = (text: string): boolean =>
  /^select/.test(text) && !/api_keys|webhook_|pg_attribute|^select [^(]* from "\w+"\."_datasets"/.test(text);

/** Statements on customers' tables while `work` runs. Those on keys, webhooks and the list of tables are left out. */
export const statementsDuring = async (work: () => Promise<unknown>): Promise<string[]> => {
  const texts: string[] = [];
  const end = note(texts);
  try {
    await work();
  } finally {
    end();
  }
  return texts.filter(isOnTables);
};
