/** Files of a test service: waits until they are built, and stores them for other readers. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

/** Waits for the end of a background build. */
const waitMs = 120_000;

/** The first answer that is neither a 202 nor a 503 of a busy machine, without redirects. */
export const whenBuilt = async (service: TestService, path: string, key: string = keys.nordEnterprise): Promise<Response> => {
  const end = Date.now() + waitMs;
  for (;;) {
    const response = await fetch(`${service.url}${path}`, { headers: { 'X-API-Key': key }, redirect: 'manual' });
    if (response.status !== 202 && response.status !== 503) return response;
    await response.arrayBuffer();
    if (Date.now() > end) throw new Error(`${path} was not built`);
    await setImmediate();
  }
};

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
