/** A new database from its first command to the service: the embedded one in a folder, or one on the server. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onServer } from '../support/database.ts';
import { startEstate } from '../support/program.ts';
import { type CommandLine, openCommandLine } from './command-line.ts';

let commandLine: CommandLine;
let key: string;
beforeAll(async () => {
  commandLine = await openCommandLine();
});
afterAll(() => commandLine.close());

test('migrate brings the control schema up to date', async () => {
  const { code, out, err } = await commandLine.runProcess(['migrate', '--json']);
  expect({ code, err, lines: out.trimEnd().split('\n').length }).toEqual({ code: 0, err: '', lines: 1 });
  expect(JSON.parse(out).applied.includes('001_customers_keys_datasets')).toBe(!onServer);
});

test('a customer and a key are added', async () => {
  await commandLine.json('customer', 'add', 'kontor', '--name', 'Kontor SE', '--tier', 'professional');
  ({ key } = await commandLine.json('key', 'create', '--customer', 'kontor', '--tier', 'basic'));
});

/** Starts the service. Resolves when it prints its address. */
const serve = async (): Promise<{ child: ChildProcess; url: string; greeting: string }> => {
  const child = startEstate(['serve'], commandLine.environment);
  let out = '';
  for await (const chunk of child.stdout!.setEncoding('utf8')) {
    out += chunk;
    const [, url] = /answers at (http:\S+)/.exec(out) ?? [];
    if (url) return { child, url, greeting: out };
  }
  throw new Error(`It ended: ${out}`);
};

test('it listens on a free port, has exclusive use of its database, and stops on a signal', async () => {
  const { child, url, greeting } = await serve();
  const exited = once(child, 'exit');
  try {
    expect(greeting).toContain(`GraphiQL               ${url}/graphql`);
    expect(greeting).toMatch(onServer ? /Portal +off; set PORTAL_PASSWORD/ : /Portal +http/);
    const answer = await fetch(`${url}/property/properties`, { headers: { 'X-API-Key': key } });
    expect([answer.status, await answer.text()]).toEqual([200, '[]']);
    expect((await fetch(`${url}/property/properties`)).status).toBe(401);
    if (!onServer) {
      const { code, err } = await commandLine.runProcess(['customer', 'list']);
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^estate: The embedded database in \\S+ is in use by process ${child.pid}\\.[^\\n]*\\n$`)),
      ]);
    }
  } finally {
    child.kill('SIGTERM');
  }
  expect(await exited).toEqual([0, null]);
});

test.each(['PORT', 'METRICS_PORT'])('a %s in use ends the start with one line', async (name) => {
  const other = createServer().listen(0);
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, err } = await commandLine.runProcess(['serve'], { HOST: '0.0.0.0', [name]: String(port) });
  expect([code, err]).toEqual([1, expect.stringMatching(/^estate: listen EADDRINUSE[^\n]+\n$/)]);
  other.close();
});
