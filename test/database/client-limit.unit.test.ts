/** The limit of the client says what the limit of the server says, and the connection is not used again (contract: waiting). */
import { expect, test } from 'vitest';
import { failureOf, isClientTimeout } from '../../src/database-failures.ts';

test('a statement that the server does not end is a timeout, and its connection is unavailable', () => {
  const silent = new Error('Query read timeout');
  expect([isClientTimeout(silent), failureOf(silent)]).toEqual([true, 'unavailable']);
  const ended = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  expect([isClientTimeout(ended), failureOf(ended)]).toEqual([false, 'timeout']);
  expect([isClientTimeout(new Error('Connection terminated')), isClientTimeout(undefined)]).toEqual([false, false]);
});
