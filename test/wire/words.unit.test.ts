/** Bytes that are copied four at a time arrive unchanged, and nothing is written beyond the reserved space. */
import { expect, test } from 'vitest';
import { byteLiteral, copyBytes, putLiteral, slack, viewOf } from '../../src/wire/words.ts';

const text = 'abcdefghijklmnopqrstuvwxyz';

test('a piece of any length is written completely, with at most its slack after it', () => {
  for (let length = 0; length <= text.length; length++)
    for (let at = 0; at < 5; at++) {
      const out = Buffer.alloc(at + length + slack, '.');
      expect(putLiteral(viewOf(out), at, byteLiteral(text.slice(0, length)))).toBe(at + length);
      expect(out.toString('latin1', 0, at + length)).toBe('.'.repeat(at) + text.slice(0, length));
    }
  expect(slack).toBe(3);
});

test('the length of a piece is the number of its bytes', () => {
  expect(byteLiteral('é😀').length).toBe(6);
});

test('a copy of any range equals that range, and nothing around it changes', () => {
  const bytes = viewOf(Buffer.from(text));
  for (let from = 0; from <= text.length; from++)
    for (let end = from; end <= text.length; end++) {
      const out = Buffer.alloc(text.length + 2, '.');
      expect(copyBytes(viewOf(out), 1, bytes, from, end)).toBe(1 + end - from);
      expect(out.toString()).toBe(`.${text.slice(from, end)}`.padEnd(text.length + 2, '.'));
    }
});

test('a view covers its own part of the memory', () => {
  const part = Buffer.from(text).subarray(3, 7);
  expect(copyBytes(viewOf(Buffer.alloc(4)), 0, viewOf(part), 0, 4)).toBe(4);
  expect([viewOf(part).getUint8(0), viewOf(part).byteLength]).toEqual(['d'.charCodeAt(0), 4]);
});
