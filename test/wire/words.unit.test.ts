/** Bytes that are copied four at a time arrive unchanged, and nothing is written beyond the reserved space. */
import { expect, test } from 'vitest';
import { byteLiteral, copyBytes, dataViewOf, putLiteral, wordPadding } from '../../src/wire/words.ts';

const text = 'abcdefghijklmnopqrstuvwxyz';

test('a piece of any length is written completely, with at most the padding after it', () => {
  for (let length = 0; length <= text.length; length++)
    for (let at = 0; at < 5; at++) {
      const out = Buffer.alloc(at + length + wordPadding, '.');
      expect(putLiteral(dataViewOf(out), at, byteLiteral(text.slice(0, length)))).toBe(at + length);
      expect(out.toString('latin1', 0, at + length)).toBe('.'.repeat(at) + text.slice(0, length));
    }
  expect(wordPadding).toBe(3);
});

test('the length of a piece is the number of its bytes', () => {
  expect(byteLiteral('é😀').length).toBe(6);
});

test('a copy of any range equals that range, and nothing around it changes', () => {
  const bytes = dataViewOf(Buffer.from(text));
  for (let from = 0; from <= text.length; from++)
    for (let end = from; end <= text.length; end++) {
      const out = Buffer.alloc(text.length + 2, '.');
      expect(copyBytes(dataViewOf(out), 1, bytes, from, end)).toBe(1 + end - from);
      expect(out.toString()).toBe(`.${text.slice(from, end)}`.padEnd(text.length + 2, '.'));
    }
});

test('a view covers its own part of the memory', () => {
  const part = Buffer.from(text).subarray(3, 7);
  expect(copyBytes(dataViewOf(Buffer.alloc(4)), 0, dataViewOf(part), 0, 4)).toBe(4);
  expect([dataViewOf(part).getUint8(0), dataViewOf(part).byteLength]).toEqual(['d'.charCodeAt(0), 4]);
});
