/** The text of a key and the operator's password are stored nowhere. */
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { createService } from '../../src/service.ts';
import { openTestDatabase } from '../support/database.ts';
import { testSecret } from '../support/settings.ts';
import { idOf, keyIn, Operator, password } from './operator.ts';

let database: Database;
let url: string;
let close: () => Promise<void>;
const lines: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  const config = readConfig({ RATE_LIMIT: '0', KEY_SECRET: testSecret, LOG_LEVEL: 'trace', PORTAL_PASSWORD: password });
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const app = createService(config, { database, secret: testSecret, logger });
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  close = async () => {
    await app.close();
    await database.close();
  };
});
afterAll(() => close());

/** Every row of the control schema as text. */
const controlData = async (): Promise<string> => {
  const { rows } = await database.pool.query<{ table_name: string }>(
    "select table_name from information_schema.tables where table_schema = 'estate' order by table_name",
  );
  const tables = [];
  for (const { table_name } of rows) {
    const { rows: content } = await database.pool.query(`select coalesce(json_agg(t)::text, '') as text from estate."${table_name}" t`);
    tables.push(content[0].text);
  }
  return tables.join('\n');
};

test('after a complete session, neither the database nor the log contains a key or the password', async () => {
  const operator = await new Operator({ url }).signIn();
  await operator.submit('/portal/sign-in', { password: 'another guess at it' });
  const key = await operator.createKey();
  const page = `/portal/keys/${idOf(key)}`;
  const successor = keyIn((await operator.submit(`${page}/rotate`, { overlap: '1' })).text);
  for (const text of [key, successor]) await fetch(`${url}/operations/orders?limit=1`, { headers: { 'X-API-Key': text } });
  await fetch(`${url}/operations/orders?key=1`, { headers: { 'X-API-Key': `${key}x` } });
  await operator.submit(page, {}, `${page}/disable`);
  await operator.submit(`${page}/revoke`);
  await operator.get('/portal/log');

  const [stored, logged] = [await controlData(), lines.join('')];
  expect(stored).toContain(idOf(successor));
  expect(logged).toContain('/portal/keys/new');
  for (const record of [stored, logged])
    for (const text of [key, successor]) {
      expect(record).not.toContain(text);
      expect(record).not.toContain(text.split('_')[2]);
    }
  for (const text of [password, 'another guess at it', operator.cookie.split('=')[1] ?? '', testSecret]) {
    expect(logged).not.toContain(text);
    expect(stored).not.toContain(text);
  }
});
