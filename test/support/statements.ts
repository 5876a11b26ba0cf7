/** The statements that a test's process sends to the database. */
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';

/** Notes the text of every statement from here to the end of the test file. */
export const noteStatements = (): string[] => {
  const statements: string[] = [];
  const { query } = pg.Client.prototype;
  const noting = function (this: pg.Client, ...values: [string | { text: string }]) {
    const [first] = values;
    statements.push(typeof first === 'string' ? first : first.text);
    return (query as (...values: unknown[]) => unknown).apply(this, values);
  };
  beforeAll(() => {
    pg.Client.prototype.query = noting as never;
  });
  afterAll(() => {
    pg.Client.prototype.query = query;
  });
  return statements;
};
