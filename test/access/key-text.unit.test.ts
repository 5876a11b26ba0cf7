/** The text of a key: its format, its stored form, and its removal from other texts (contract: API keys; key storage; key secrecy). */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { apiKeyText, hashKey, publicId, randomKeyId, redactKeys } from '../../src/access/key-text.ts';

test('a new key has a public id and a secret of 32 characters, and all are different', () => {
  const made = Array.from({ length: 200 }, () => apiKeyText('abc'));
  for (const key of made) expect(key).toMatch(/^est_abc_[a-z0-9]{32}$/);
  expect(new Set(made).size).toBe(made.length);
  const ids = Array.from({ length: 200 }, randomKeyId);
  for (const id of ids) expect(id).toMatch(/^[a-z0-9]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

test('all characters occur, with equal probability', () => {
  const counts = new Map<string, number>();
  const keys = 10_000;
  for (let n = 0; n < keys; n++) for (const letter of apiKeyText('').slice(5)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const expected = (keys * 32) / 36;
  expect([...counts.keys()].sort().join('')).toBe('0123456789abcdefghijklmnopqrstuvwxyz');
  // Eight standard deviations. Without rejection of bytes from 252 on, four letters occur an eighth more often.
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(8 * Math.sqrt(expected));
});

test.each([
  ['est_a_b', 'a'],
  [`est_${'a'.repeat(40)}_${'B'.repeat(64)}`, 'a'.repeat(40)],
  [`est_${'a'.repeat(41)}_b`, undefined],
  [`est_a_${'b'.repeat(65)}`, undefined],
  ['est_A_b', undefined],
  ['est__b', undefined],
  ['est_a_', undefined],
  ['est_a_b_c', undefined],
  [' est_a_b', undefined],
  ['est_a_b\n', undefined],
  ['', undefined],
])('the public id of %j is %j', (key, id) => {
  expect(publicId(key)).toBe(id);
});

test('the HMAC-SHA-256 of the whole key is stored', () => {
  expect(hashKey('secret', 'est_a_b')).toEqual(createHmac('sha256', 'secret').update('est_a_b').digest());
});

test('a key is removed at every position of a text, with every encoding', () => {
  const secret = 'k7x2m9q4w8z1p5t3';
  const key = `est_abc123_${secret}`;
  const percent = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  const encodings = [
    (text: string) => text,
    percent,
    (text: string) => percent(percent(text)),
    (text: string) => text.replaceAll('_', '%5F'),
    (text: string) => text.toUpperCase(),
    (text: string) => JSON.stringify({ text }),
  ];
  const before = ['', ' ', '1', 'x', '%20', '%2520', '%7B%20', '\\n', '\\u0020', '"', '_', '=', '/', '?a=', 'é', '%C3%A9', '100%'];
  for (const [index, encode] of encodings.entries())
    for (const text of before)
      for (const after of ['', ' ', '%20', '"', '&b=1', '/x'])
        expect([index, text, redactKeys(`/x${text}${encode(key)}${after}`).toLowerCase()]).toEqual([
          index,
          text,
          expect.not.stringContaining(secret),
        ]);
});

describe('the secret is removed from a text', () => {
  test.each([
    ['est_a_b', 'est_a_[redacted]'],
    ['a est_a_b, EST_C_D', 'a est_a_[redacted], est_C_[redacted]'],
    ['\\nest_a_b', '\\nest_a_[redacted]'],
    ['latest_a_b', 'latest_a_b'],
    ['%65st%5fa%5Fb', 'est_a_[redacted]'],
    ['%2565st_a_b', 'est_a_[redacted]'],
    ['%45%53%54_a_%7a%5A%39', 'est_a_[redacted]'],
    ['est%5fa%5f%30', 'est_a_[redacted]'],
    ['100% of est_a_b', '100% of est_a_[redacted]'],
    ['%6bey=1 100%', '%6bey=1 100%'],
    ['?api_key=x&b=1', '?api_key=[redacted]&b=1'],
    ['?a=1&X-API-Key=x#f', '?a=1&X-API-Key=[redacted]#f'],
    ['?apikey=x y', '?apikey=[redacted] y'],
    ['?key=x', '?key=x'],
    ['%c3%a9', '%c3%a9'],
    ['', ''],
  ])('%j becomes %j', (text, redacted) => {
    expect(redactKeys(text)).toBe(redacted);
  });
});

describe('a key is removed from every place of a text', () => {
  const key = `est_${randomKeyId()}_${'a1'.repeat(16)}`;
  const encode = (text: string) => text.replaceAll(/[\s\S]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
  const characters = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));
  const before = [...characters, ...characters.slice(0, 0x80).map(encode), '%2520', 'word', '%C3%A4', '\\u001b', '\\n'];

  test.each([
    ['as it is', key],
    ['percent-encoded', encode(key)],
    ['percent-encoded in part', `est%5f${key.slice(4)}`],
    ['in upper case', key.toUpperCase()],
  ])('%s', (_, sent) => {
    for (const prefix of before)
      for (const text of [`${prefix}${sent}`, JSON.stringify({ path: `/x?a=${prefix}${sent}` })]) {
        const shown = redactKeys(text);
        expect([
          prefix,
          decodeURIComponent(shown.replaceAll(/%(?![0-9a-f]{2})|%[89a-f]./gi, ''))
            .toLowerCase()
            .includes('a1'.repeat(16)),
        ]).toEqual([prefix, false]);
      }
  });
});
