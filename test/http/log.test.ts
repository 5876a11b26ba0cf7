/** The log: one line per request, with the caller and the request, and without a key (contract: key secrecy). */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { redactKeys } from '../../src/access/key-text.ts';
import { createLogger, readableLine } from '../../src/http/logger.ts';
import { Operator, password } from '../portal/operator.ts';
import { recordedLog } from '../support/log.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';
import { exchange } from '../support/wire.ts';

const log = recordedLog('info');
let service: TestService;

beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password, RATE_LIMIT: '1000' }, logger: log.logger });
});
beforeEach(() => {
  log.texts.length = 0;
});
afterAll(() => service.stop());

/** The line is written when the connection has finished the response, which may be after the client has it. */
const lineOf = async (id: string | null) => {
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  await expect.poll(() => log.lines().filter(({ reqId }) => reqId === id).length, { interval: 5 }).toBe(1);
  const [line] = log.lines().filter(({ reqId }) => reqId === id);
  return line as NonNullable<typeof line>;
};

describe('one line per request', () => {
  test('it contains key, customer, address and sizes', async () => {
    const { headers, text } = await service.get('/operations/orders?limit=3', { headers: { 'Accept-Encoding': 'identity' } });
    const line = await lineOf(headers.get('x-request-id'));
    expect(line).toMatchObject({ level: 30, msg: 'request', method: 'GET', path: '/operations/orders?limit=3', status: 200 });
    expect(line).toMatchObject({ key: 'nordenterprise', customer: 'nord', address: '127.0.0.1' });
    expect(line.bytes).toBeGreaterThan(text.length);
    expect(line.ms).toBeGreaterThan(0);
  });

  test.each<[string, string, string | null, number, number]>([
    ['no key', '/catalog', null, 401, 40],
    ['a wrong path', '/nothing', keys.nordBasic, 404, 30],
    ['a path that cannot be decoded', '/operations/%zz', keys.nordBasic, 400, 30],
    ['a table above the tier', '/operations/orders', keys.nordBasic, 403, 30],
  ])('%s', async (_, path, key, status, level) => {
    const { headers } = await service.get(path, { key });
    expect(await lineOf(headers.get('x-request-id'))).toMatchObject({ path, status, level, address: '127.0.0.1' });
  });

  test('a client that disconnects in the middle of a response is no error', async () => {
    const path = '/raw/booking_pos?limit=100000';
    const socket = connect(service.port, '127.0.0.1');
    // Together, the responses do not fit into the buffers of the system.
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.nordEnterprise}\r\n\r\n`.repeat(20));
    await once(socket, 'readable');
    socket.resetAndDestroy();
    const incomplete = () => log.lines().filter((line) => line.incomplete);
    await expect.poll(incomplete).toContainEqual(expect.objectContaining({ path, status: 200, level: 30 }));
    expect(incomplete()[0]).not.toHaveProperty('err');
  });

  test('a failure is part of the same line', async () => {
    await sqlOn(service)('alter table customer_nord.projects rename column status to away');
    const { headers, text } = await service.get('/operations/projects?limit=5');
    await sqlOn(service)('alter table customer_nord.projects rename column away to status');
    const line = await lineOf(headers.get('x-request-id'));
    expect(line).toMatchObject({ level: 50, status: 500, err: { message: expect.stringContaining('status') } });
    expect(text).not.toContain('column');
  });

  test('a wrong password is a warning, without the password', async () => {
    const { headers } = await new Operator(service).submit('/portal/sign-in', { password: 'a guess of mine' });
    expect(await lineOf(headers.get('x-request-id'))).toMatchObject({ level: 40, status: 403, note: 'wrong password' });
    expect(log.texts.join('')).not.toContain('a guess of mine');
  });

  test('data that never became a request has a line with the id of its response', async () => {
    const [answer] = await exchange(service.port, 'NO HTTP\r\n\r\n');
    expect(await lineOf(answer?.headers.get('x-request-id') ?? null)).toMatchObject({ status: 400, address: '127.0.0.1' });
  });
});

const secretOf = (key: string) => key.split('_')[2] ?? '';
const issued = 'est_0123456789ab_zyxwvutsrqponmlkjihgfedcba987654';

describe('the log contains no key, wherever the key was sent', () => {
  const spelled = (key: string) => [key, key.replaceAll('_', '%5F'), key.replaceAll('_', '%255f'), key.toUpperCase(), `%65${key.slice(1)}`];

  test.each(spelled(issued))('%s', async (key) => {
    const targets = [
      `/catalog?api_key=${key}`,
      `/operations/${key}`,
      `/${key}/orders?limit=1`,
      `/catalog?a=b&X-API-Key=${key}&c=d`,
      `/%zz/${key}`,
    ];
    for (const path of targets) {
      const { headers } = await service.get(path, { key });
      const { path: logged } = await lineOf(headers.get('x-request-id'));
      expect(logged.toLowerCase()).not.toContain(secretOf(issued));
      expect(logged).toContain('[redacted]');
    }
    expect(log.texts.join('').toLowerCase()).not.toContain(secretOf(issued));
  });

  test('a demo key in a path', async () => {
    const { headers } = await service.get(`/operations/${keys.nordEnterprise}`);
    expect((await lineOf(headers.get('x-request-id'))).path).toBe('/operations/est_nordenterprise_[redacted]');
  });

  test('in headers, in the target of a malformed request, in messages of errors', async () => {
    await new Promise<void>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${issued}`, Referer: `http://x/?k=${issued}`, 'User-Agent': issued, Cookie: `k=${issued}` };
      httpRequest(`${service.url}/catalog`, { headers }, (response) => response.resume().on('end', () => resolve()))
        .on('error', reject)
        .end();
    });
    await exchange(service.port, `GET /${issued} HTTP/9\r\n\r\n`);
    log.logger.error({ err: new Error(`refused:\n${issued}`), url: `/?api_key=${issued}` }, `about "${issued}"`);
    log.logger.info(`{"api_key=secret\\"`);
    expect(log.texts.length).toBeGreaterThanOrEqual(4);
    expect(log.texts.join('')).not.toContain(secretOf(issued));
    // Each line is still a JSON document.
    expect(log.lines().at(-2)?.err.message).toBe('refused:\nest_0123456789ab_[redacted]');
  });

  test('other texts do not change', () => {
    for (const text of ['/raw/latest_order_items', '/catalog?limit=5%25', 'interest_rate_type', '/operations/%C3%A9'])
      expect(redactKeys(text)).toBe(text);
  });
});

describe('on a terminal', () => {
  const readable = (write: (logger: ReturnType<typeof createLogger>) => void) => {
    let text = '';
    write(createLogger('info', { write: (line) => (text += line) }, true));
    return text;
  };

  test('a request is a readable line', async () => {
    const { headers } = await service.get('/catalog');
    const line = await lineOf(headers.get('x-request-id'));
    expect(readableLine(JSON.stringify(line))).toMatch(
      /^\d\d:\d\d:\d\d INFO 200 GET \/catalog [\d.]+ ms \d+ B address=127\.0\.0\.1 key=nordenterprise customer=nord \([0-9a-f-]{36}\)\n$/,
    );
  });

  test('an error has its stack, and a client cannot move the cursor', () => {
    const text = readable((logger) => logger.error({ err: new Error('odd \x1b[2J'), path: '\x1b]0;x\x07' }, 'failed\r'));
    expect(text).toContain('ERROR failed\\u{d}');
    expect(text).toContain('Error: odd \\u{1b}[2J\n    at ');
    expect(text.replaceAll('\x1b[1m', '').replaceAll('\x1b[22m', '')).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  test('in a pipe the log is JSON', () => {
    let text = '';
    createLogger('info', { write: (line) => (text += line) }, false).info('hello');
    expect(JSON.parse(text)).toMatchObject({ level: 30, msg: 'hello' });
  });
});
