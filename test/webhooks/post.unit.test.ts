/** One attempt: its signature, and what a hostile receiver or name server cannot do (contract: deliveries; addresses of webhooks). */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { attemptMs, post } from '../../src/webhooks/post.ts';
import { newSecret, seal, secretText, signedHeaders, unseal } from '../../src/webhooks/secrets.ts';
import { accept, type Receiver, startReceiver } from './receiver.ts';

describe('signatures', () => {
  const [secret, old] = [newSecret(), newSecret()];
  const message = { id: 'msg_1', body: '{"type":"data.changed","data":{"name":"Süd"}}' };

  test('the library of Standard Webhooks verifies them with either secret', () => {
    const headers = signedHeaders([secret, old], message);
    for (const each of [secret, old]) expect(new Webhook(secretText(each)).verify(message.body, headers)).toEqual(JSON.parse(message.body));
    expect(() => new Webhook(secretText(newSecret())).verify(message.body, headers)).toThrow();
    expect(() => new Webhook(secretText(secret)).verify(`${message.body} `, headers)).toThrow();
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  });

  test('a late message is refused', () => {
    expect(() => new Webhook(secretText(secret)).verify(message.body, signedHeaders([secret], message, Date.now() - 400_000))).toThrow(
      'old',
    );
  });

  test('a stored secret is opened by its KEY_SECRET only', () => {
    const sealed = seal('one secret of sixteen', secret);
    expect(sealed.includes(secret)).toBe(false);
    expect(unseal('one secret of sixteen', sealed)).toEqual(secret);
    expect(() => unseal('another secret of it', sealed)).toThrow();
    expect(seal('one secret of sixteen', secret)).not.toEqual(sealed);
  });
});

describe('an attempt', () => {
  let receiver: Receiver;
  let target: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    target = await startReceiver();
  });
  beforeEach(() => {
    receiver.answer = accept;
  });
  afterAll(() => {
    receiver.close();
    target.close();
  });
  const open = { allowsPrivate: true };
  const message = { headers: { 'webhook-id': 'msg_1' }, body: '{"a":"ü"}' };

  test('sends JSON with its length', async () => {
    expect(await post(receiver.url, message, open)).toEqual({ isDelivered: true, status: 204 });
    expect(receiver.messages.at(-1)).toMatchObject({
      body: message.body,
      headers: { 'content-type': 'application/json', 'content-length': '10', 'webhook-id': 'msg_1' },
    });
  });

  test('does not follow a redirect', async () => {
    receiver.answer = (response) => void response.writeHead(307, { location: target.url }).end();
    expect(await post(receiver.url, message, open)).toEqual({ isDelivered: false, status: 307, note: 'status 307' });
    expect(target.connections()).toBe(0);
  });

  test('ends when nothing is answered, or the service stops', async () => {
    receiver.answer = () => {};
    const began = performance.now();
    expect(await post(receiver.url, message, open)).toEqual({ isDelivered: false, note: 'no answer within 10 s' });
    expect(performance.now() - began).toBeGreaterThan(attemptMs - 100);
    const stop = new AbortController();
    const stopped = post(receiver.url, message, open, stop.signal);
    stop.abort();
    expect((await stopped).isDelivered).toBe(false);
  });

  test('a closed port and an unknown name have notes of their own', async () => {
    const closed = await startReceiver();
    closed.close();
    expect(await post(closed.url, message, open)).toEqual({ isDelivered: false, note: 'no answer (ECONNREFUSED)' });
    expect(await post(receiver.url.replace('127.0.0.1', 'x.test'), message, { ...open, resolve: async () => [] })).toEqual({
      isDelivered: false,
      note: 'the name has no address',
    });
  });

  test('connects to the address that was resolved once, and never to a private one', async () => {
    const url = target.url.replace('127.0.0.1', 'receiver.test');
    let resolved = 0;
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const resolve = async () => answers[resolved++] ?? [];
    expect(await post(url, message, { ...open, resolve })).toEqual({ isDelivered: true, status: 204 });
    expect(resolved).toBe(1);
    expect(target.messages.at(-1)?.headers.host).toMatch(/^receiver\.test:/);
    const before = target.connections();
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], ['fe80::1%eth0']])
      expect(await post(url.replace('http:', 'https:'), message, { allowsPrivate: false, resolve: async () => addresses })).toEqual({
        isDelivered: false,
        note: 'the address is not public',
      });
    expect(target.connections()).toBe(before);
  });
});
