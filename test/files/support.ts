/** Files of a test service: waits until they are built, and stores them for other readers. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { asCsv, type Deliveries, load, readTableData } from '../sync/support.ts';

/** The longest wait for the end of a background build, and the pause between two questions. */
const patience = { timeout: 120_000, interval: 10 };

/** Sends a request again while its file is being built. Returns the first other answer. */
export const untilBuilt = async (send: () => Promise<Response>, laterStatuses: readonly number[] = [202]): Promise<Response> => {
  let response = await send();
  const isLater = () => laterStatuses.includes(response.status);
  if (!isLater()) return response;
  const sendAgain = async (): Promise<boolean> => {
    await response.arrayBuffer();
    response = await send();
    return isLater();
  };
  await expect.poll(sendAgain, { ...patience, message: `${response.url} is built` }).toBe(false);
  return response;
};

/** The first answer that is neither a 202 nor a 503 of a busy machine, without redirects. */
export const whenBuilt = (service: TestService, path: string, key: string = keys.nordEnterprise): Promise<Response> =>
  untilBuilt(() => fetch(`${service.url}${path}`, { headers: { 'X-API-Key': key }, redirect: 'manual' }), [202, 503]);

/** The current file of a table, by its redirect. */
export const latest = async (service: TestService, path: string, key?: string): Promise<Response> => {
  const redirect = await whenBuilt(service, path, key);
  if (redirect.status !== 302) return redirect;
  return whenBuilt(service, redirect.headers.get('Location')!, key);
};

/** Writes a body to a temporary file, and returns its path. */
export const stored = async (response: Response, extension: string): Promise<string> => {
  const path = join(tmpdir(), `estate-test-file-${randomUUID()}.${extension}`);
  writeFileSync(path, Buffer.from(await response.arrayBuffer()));
  return path;
};

/** Loads the persons of the customer `nord` with another last name. */
export const loadNames = async ({ database }: TestService, deliveries: Deliveries, lastName: string): Promise<void> => {
  const { columns, rows } = await readTableData(database, 'person');
  const place = columns.indexOf('last_name');
  const changed = rows.map((row) => row.map((old, at) => (at === place ? lastName : old)));
  await load(database, [deliveries.write('person.csv', asCsv({ columns, rows: changed }))]);
};
