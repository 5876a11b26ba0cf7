import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCursors } from '../../src/plan/cursor.ts';

const cursors = createCursors('a secret for cursors');
const key = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' });
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ %';

describe('a cursor is opaque, signed and bound to its scope (contract: cursor lifetime)', () => {
  test('it returns the key in its own scope, also after a restart', () => {
    fc.assert(
      fc.property(fc.string(), key, (scope, row) => {
        expect(createCursors('a secret for cursors').open(scope, cursors.sign(scope, row))).toBe(row);
      }),
    );
  });

  test('it needs no encoding in a query string', () => {
    fc.assert(fc.property(fc.string(), key, (scope, row) => /^[\w-]+$/.test(cursors.sign(scope, row))));
  });

  test('another scope or secret is refused', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), key, (scope, other, row) => {
        fc.pre(scope !== other);
        expect(cursors.open(other, cursors.sign(scope, row))).toBeUndefined();
        expect(createCursors('another secret').open(scope, cursors.sign(scope, row))).toBeUndefined();
      }),
    );
  });

  test('scope and key are separated', () => {
    expect(cursors.sign('ab', 'c')).not.toBe(cursors.sign('a', 'bc'));
  });

  test('any changed, added or missing character is noticed', () => {
    fc.assert(
      fc.property(key, fc.nat(), fc.constantFrom(...alphabet), (row, position, character) => {
        const cursor = cursors.sign('scope', row);
        const at = position % cursor.length;
        const [head, tail] = [cursor.slice(0, at), cursor.slice(at + 1)];
        for (const tampered of [
          `${head}${character}${tail}`,
          `${head}${character}${cursor.slice(at)}`,
          `${head}${tail}`,
          cursor + character,
        ])
          if (tampered !== cursor) expect(cursors.open('scope', tampered)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test('other texts are not cursors and cause no exception', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => cursors.open('scope', text) === undefined));
  });

  test('an empty key has no cursor', () => {
    expect(cursors.open('scope', cursors.sign('scope', ''))).toBeUndefined();
    expect(cursors.open('scope', '')).toBeUndefined();
  });

  test('cursors of earlier releases are accepted: their format is fixed', () => {
    expect(cursors.sign('scope', '17')).toBe('WkzKrXLY8WBxtqRvMTc');
  });
});
