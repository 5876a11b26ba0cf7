import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInstant } from '../../src/catalogue/instant.ts';
import { instants, invalidInstants } from '../support/instants.ts';

describe('points in time are parsed strictly (contract: since)', () => {
  test.each(instants)('%j is %s', (text, instant) => {
    expect(parseInstant(text)?.toISOString()).toBe(instant);
  });

  test.each(invalidInstants)('%j is invalid', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test('every instant survives a round trip through ISO 8601', () => {
    const date = fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
    fc.assert(
      fc.property(date, (instant) => {
        expect(parseInstant(instant.toISOString())).toEqual(instant);
        expect(parseInstant(instant.toISOString().replace('T', ' ').replace('Z', '+00:00'))).toEqual(instant);
      }),
    );
  });

  test('no text makes it throw', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}[-+Z0-9:.]{0,12}$/));
    fc.assert(
      fc.property(text, (any) => {
        const instant = parseInstant(any);
        expect(instant === undefined || Number.isFinite(instant.getTime())).toBe(true);
      }),
    );
  });
});
