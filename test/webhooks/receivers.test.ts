/** The receivers of the guide check signatures and print events, run as they are. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { post } from '../../src/webhooks/post.ts';
import { newSecret, secretText, signedHeaders } from '../../src/webhooks/secrets.ts';
import { freePort } from '../support/port.ts';

const programs = [
  ['python3', ['examples/webhook-receiver.py']],
  [process.execPath, ['--import', import.meta.resolve('tsx'), 'examples/webhook-receiver.mts']],
] as const;

describe.each(programs)('%s %j', (program, args) => {
  test('prints each event once, and refuses what is not signed', async () => {
    const secret = newSecret();
    const port = await freePort();
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, WEBHOOK_SECRET: secretText(secret), PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    try {
      const lines: string[] = [];
      createInterface(child.stdout).on('line', (line) => lines.push(line));
      const send = (message: { id: string; body: string }, key = secret, now = Date.now()) =>
        post(
          `http://127.0.0.1:${port}/`,
          { headers: signedHeaders([newSecret(), key], message, now), body: message.body },
          { allowsPrivate: true },
        );
      const changed = {
        id: 'msg_1',
        body: '{"type":"data.changed","timestamp":"2026-11-28T00:00:00.000Z","data":{"tables":[{"table":"orders","version":42}]}}',
      };
      await expect.poll(async () => (await send(changed)).status).toBe(204);
      expect((await send(changed)).status).toBe(204);
      expect((await send({ ...changed, id: 'msg_2' }, newSecret())).status).toBe(401);
      expect((await send({ ...changed, id: 'msg_3' }, secret, Date.now() - 400_000)).status).toBe(401);
      expect((await send({ id: 'msg_4', body: '{"type":"key.expiring","data":{}}' })).status).toBe(204);
      await expect.poll(() => lines).toEqual(['data.changed orders 42', 'key.expiring']);
    } finally {
      child.kill('SIGKILL');
      await exit;
    }
  });
});
