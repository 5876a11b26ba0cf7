/** An unreachable database is distinguished from a failed statement (contract: waiting). */
import { expect, test } from 'vitest';
import { ApiError, isUnavailable, retryRead, toApiError } from '../../src/errors.ts';

const coded = (code: string) => Object.assign(new Error('failed'), { code });

const codes = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', '08006', '57P01', '57P02', '57P03', '57P05', '53300'];

test.each([...codes, '25006', '25P03', '40001', '40P01'])('%s', (code) => {
  expect(toApiError(coded(code))).toMatchObject({ kind: 'unavailable', status: 503, headers: { 'Retry-After': '5' } });
});

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
])('%s', (message) => expect(isUnavailable(new Error(message))).toBe(true));

test('several addresses that all refuse', () => {
  expect(isUnavailable(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]))).toBe(true);
});

test('a shard of Citus without a node', () => {
  const lost = Object.assign(new Error('could not find any healthy placement for shard 102008'), { code: 'XX000' });
  expect(toApiError(lost)).toMatchObject({ kind: 'unavailable' });
  expect(toApiError(coded('XX000'))).toMatchObject({ kind: 'internal' });
});

test('a read is repeated after a transient error, at most twice', async () => {
  const failing = (times: number, code: string) => {
    let count = 0;
    return async () => {
      if (count++ < times) throw coded(code);
      return count;
    };
  };
  expect(await retryRead(failing(2, '40001'))).toBe(3);
  await expect(retryRead(failing(3, '40P01'))).rejects.toThrow('failed');
  await expect(retryRead(failing(1, '08006'))).rejects.toThrow('failed');
});

test('a table that was dropped, and a time limit', () => {
  expect(toApiError(coded('42P01'))).toMatchObject({ kind: 'unavailable', status: 503 });
  expect(toApiError(coded('57014'))).toMatchObject({ kind: 'timeout', status: 503, headers: { 'Retry-After': '30' } });
});

test.each([coded('42703'), coded('22012'), new Error('a fault'), 'text', undefined])(
  '%s does not mean that the database is unreachable',
  (error) => {
    expect(toApiError(error)).toMatchObject({ kind: 'internal', status: 500 });
  },
);

test('an error that is already classified does not change', () => {
  const busy = new ApiError('busy');
  expect(toApiError(busy)).toBe(busy);
});
