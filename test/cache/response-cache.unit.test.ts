import { describe, expect, test } from 'vitest';
import { ResponseCache } from '../../src/cache/response-cache.ts';
import type { States } from '../../src/cache/states.ts';
import type { Versions } from '../../src/cache/versions.ts';

const mebibyte = 2 ** 20;
const orders = { kind: 'category', name: 'orders' } as const;
const persons = { kind: 'raw', name: 'person' } as const;

/** Tables of customers with versions that a test sets. */
const tables = () => {
  const versions = new Map<string, number>();
  const asked: number[] = [];
  let isSure = true;
  const snapshot = (): States => {
    const then = new Map(versions);
    return {
      get: (kind, name) => {
        const version = then.get(`${kind} ${name}`);
        return version === undefined ? undefined : { name, version, row_count: 0, synced_at: null, changed_at: null };
      },
    };
  };
  return {
    set: ({ kind, name }: { kind: string; name: string }, version: number) => versions.set(`${kind} ${name}`, version),
    forget: () => {
      isSure = false;
    },
    asked,
    snapshot,
    versions: {
      leased: async (customerId: number) => {
        asked.push(customerId);
        return isSure ? snapshot() : undefined;
      },
    } as unknown as Versions,
  };
};

const answerOf = (bytes: number) => ({ chunks: [Buffer.alloc(bytes, 'x')], about: undefined, rows: 1 });

describe('a response is returned only at the versions at which it was stored', () => {
  test('the same request, another one, another customer, another cache key', async () => {
    const data = tables();
    const responseCache = new ResponseCache(data.versions, mebibyte);
    data.set(orders, 7);
    responseCache.store(1, 'q', answerOf(10), [{ ...orders, version: 7 }]);
    expect(Buffer.concat((await responseCache.find(1, 'q'))?.chunks ?? [])).toHaveLength(10);
    expect(await responseCache.find(2, 'q')).toBeUndefined();
    expect(await responseCache.find(1, 'other')).toBeUndefined();
    data.set(orders, 8);
    expect(await responseCache.find(1, 'q')).toBeUndefined();
    data.set(orders, 7);
    expect(await responseCache.find(1, 'q'), 'forgotten').toBeUndefined();
  });

  test('versions are not looked up for responses that are not cached or depend on no table', async () => {
    const data = tables();
    const responseCache = new ResponseCache(data.versions, mebibyte);
    responseCache.store(1, 'fixed', answerOf(10), []);
    expect(await responseCache.find(1, 'unknown')).toBeUndefined();
    expect(await responseCache.find(1, 'fixed')).toBeDefined();
    expect(data.asked).toEqual([]);
  });

  test('while versions are unknown, nothing is returned and nothing is evicted', async () => {
    const data = tables();
    const responseCache = new ResponseCache(data.versions, mebibyte);
    data.set(orders, 7);
    responseCache.store(1, 'q', answerOf(10), [{ ...orders, version: 7 }]);
    data.forget();
    expect(await responseCache.find(1, 'q')).toBeUndefined();
    expect(await responseCache.find(1, 'q', data.snapshot()), 'by states that the caller is sure of').toBeDefined();
  });

  test('a response from several snapshots is stored only if no table changed', async () => {
    const data = tables();
    const responseCache = new ResponseCache(data.versions, mebibyte);
    data.set(orders, 7);
    data.set(persons, 3);
    const before = await responseCache.states(1);
    const madeOf = await responseCache.unchangedSince(before, 1, [orders, persons]);
    expect(madeOf).toEqual([
      { ...orders, version: 7 },
      { ...persons, version: 3 },
    ]);
    responseCache.store(1, 'q', answerOf(10), madeOf!);
    expect(await responseCache.find(1, 'q')).toBeDefined();
    data.set(persons, 4);
    expect(await responseCache.find(1, 'q')).toBeUndefined();
    expect(await responseCache.unchangedSince(before, 1, [orders, persons])).toBeUndefined();
    expect(await responseCache.unchangedSince(undefined, 1, [orders])).toBeUndefined();
  });
});

describe('a retained response', () => {
  const bytes = (fill: string, length = 200_000) => ({ chunks: [Buffer.alloc(length, fill)], about: undefined, rows: 1 });
  const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString();

  test('does not change until it is released, while other responses are stored', async () => {
    const responseCache = new ResponseCache(tables().versions, mebibyte);
    responseCache.store(1, 'lent', bytes('a'), []);
    const [one, other] = [(await responseCache.find(1, 'lent'))!, (await responseCache.find(1, 'lent'))!];
    const replace = (fill: string) => {
      for (let n = 0; n < 20; n++) responseCache.store(1, `q${n}`, bytes(fill), []);
    };
    replace('b');
    expect(await responseCache.find(1, 'lent')).toBeUndefined();
    // Further releases have no effect.
    for (let times = 0; times < 3; times++) one.release();
    replace('c');
    expect(text(other.chunks)).toBe('a'.repeat(200_000));
    other.release();
    replace('d');
    expect(text(other.chunks)).toContain('d');
  });

  test('is complete, wherever its pieces begin and end', async () => {
    const responseCache = new ResponseCache(tables().versions, mebibyte);
    for (const lengths of [[0], [1], [32_768], [32_767, 1, 32_769], [10, 70_000, 3], [65_536, 65_536]]) {
      const chunks = lengths.map((length, at) => Buffer.alloc(length, `${at}`));
      responseCache.store(1, 'q', { chunks, about: undefined, rows: 1 }, []);
      expect(text((await responseCache.find(1, 'q'))!.chunks)).toBe(text(chunks));
    }
  });
});

describe('memory', () => {
  test('is bounded by bytes, including compressed forms; the least recently used response is evicted', async () => {
    const data = tables();
    const responseCache = new ResponseCache(data.versions, mebibyte);
    for (let n = 0; n < 30; n++) {
      const forms = responseCache.store(1, `q${n}`, answerOf(100_000), []);
      forms.set('br', Buffer.alloc(50_000));
      expect(responseCache.bytes).toBeLessThanOrEqual(mebibyte);
    }
    expect(await responseCache.find(1, 'q0')).toBeUndefined();
    expect((await responseCache.find(1, 'q29'))?.forms.get('br')).toHaveLength(50_000);
    expect(responseCache.bytes).toBeGreaterThan(mebibyte / 2);
  });

  test('a compressed form of an evicted response is not stored', () => {
    const responseCache = new ResponseCache(tables().versions, mebibyte);
    const first = responseCache.store(1, 'q', answerOf(100), []);
    responseCache.store(1, 'q', answerOf(100), []);
    const { bytes } = responseCache;
    first.set('br', Buffer.alloc(50_000));
    expect(responseCache.bytes).toBe(bytes);
  });

  test('one customer cannot evict the responses of another', async () => {
    const responseCache = new ResponseCache(tables().versions, mebibyte);
    for (let n = 0; n < 3; n++) responseCache.store(1, `q${n}`, answerOf(100_000), []);
    for (let n = 0; n < 200; n++) responseCache.store(2, `q${n}`, answerOf(100_000), []);
    for (let n = 0; n < 3; n++) expect(await responseCache.find(1, `q${n}`)).toBeDefined();
    expect(await responseCache.find(2, 'q199')).toBeDefined();
    expect(await responseCache.find(2, 'q0')).toBeUndefined();
    // Many share it equally.
    for (let customer = 1; customer <= 5; customer++)
      for (let n = 0; n < 20; n++) responseCache.store(customer, `r${n}`, answerOf(50_000), []);
    for (let customer = 1; customer <= 5; customer++) expect(await responseCache.find(customer, 'r19'), `${customer}`).toBeDefined();
    expect(responseCache.bytes).toBeLessThanOrEqual(mebibyte);
  });

  test('when it is full, the customer with the most entries must request a response twice before it replaces another of theirs', async () => {
    const data = tables();
    const responseCache = new ResponseCache(data.versions, mebibyte);
    expect(responseCache.shouldStore(1, 'first', 100_000), 'while there is room').toBe(true);
    for (let n = 0; n < 20; n++) responseCache.store(1, `q${n}`, answerOf(100_000), []);
    expect(responseCache.shouldStore(1, 'once', 100_000)).toBe(false);
    expect(responseCache.shouldStore(1, 'once', 100_000), 'again').toBe(true);
    expect(responseCache.shouldStore(1, 'first', 100_000), 'again, though it was not kept').toBe(true);
    expect(responseCache.shouldStore(2, 'new', 100_000), 'of one who holds less').toBe(true);
    // Pages of an export do not replace frequently used responses.
    const storeIfUseful = (key: string) => {
      if (responseCache.shouldStore(1, key, 100_000)) responseCache.store(1, key, answerOf(100_000), []);
    };
    for (let n = 0; n < 50; n++) storeIfUseful(`page ${n}`);
    expect([await responseCache.find(1, 'q19'), await responseCache.find(1, 'page 49')]).toEqual([expect.anything(), undefined]);
    storeIfUseful('page 49');
    expect(await responseCache.find(1, 'page 49')).toBeDefined();
  });

  test('responses that would not be stored are not worth compressing', () => {
    const { versions } = tables();
    expect(new ResponseCache(versions, 8 * mebibyte).shouldStore(1, 'q', mebibyte + 1)).toBe(false);
    expect(new ResponseCache(versions, 0).shouldStore(1, 'q', 1)).toBe(false);
  });

  test('large responses are not cached, and with size 0 none are', async () => {
    const responseCache = new ResponseCache(tables().versions, 8 * mebibyte);
    responseCache.store(1, 'large', answerOf(mebibyte + 1), []);
    expect([await responseCache.find(1, 'large'), responseCache.bytes]).toEqual([undefined, 0]);
    const none = new ResponseCache(tables().versions, 0);
    none.store(1, 'q', answerOf(10), []).set('br', Buffer.alloc(5));
    expect([await none.find(1, 'q'), await none.states(1), none.bytes]).toEqual([undefined, undefined, 0]);
  });
});
