/** An unreachable database is distinguished from a failed statement (contract: waiting). */
import { expect, test } from 'vitest';
import { ApiError, isUnavailable, toApiError } from '../../src/errors.ts';

const coded = (code: string) => Object.assign(new Error('failed'), { code });

test.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', '08006', '57P01', '57P02', '57P03', '53300'])('%s', (code) => {
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

test.each([coded('42P01'), coded('57014'), new Error('a fault'), 'text', undefined])(
  '%s does not mean that the database is unreachable',
  (error) => {
    expect(toApiError(error)).toMatchObject({ kind: 'internal', status: 500 });
  },
);

test('an error that is already classified does not change', () => {
  const busy = new ApiError('busy');
  expect(toApiError(busy)).toBe(busy);
});
