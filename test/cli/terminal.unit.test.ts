/** No text of a name, a file or a server moves the cursor of a terminal. */
import { expect, test } from 'vitest';
import { printableJson, printableStyled } from '../../src/cli/terminal.ts';
import { createLogger, readableLine } from '../../src/http/logger.ts';
import { quoted, shown } from '../../src/sync/files/rejections.ts';

const every = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code)).join('');

test('control and format characters are escapes, and line breaks stay', () => {
  expect(printableStyled(`a\u001b]0;title\u0007b\u202e\u009b2J\nc`)).toBe('a\\u{1b}]0;title\\u{7}b\\u{202e}\\u{9b}2J\nc');
  expect(printableStyled(every)).toMatch(/^[^\p{Cc}]*\n[^\p{Cc}]*$/u);
});

test('messages about files and the log have the same escapes', () => {
  const name = 'a\u001b[2J\u202e\u2028\u009bz';
  const escaped = 'a\\u{1b}[2J\\u{202e}\\u{2028}\\u{9b}z';
  expect([printableStyled(name), shown(name), quoted(name)]).toEqual([escaped, escaped, `"${escaped}"`]);
  expect(readableLine(JSON.stringify({ level: 30, time: 0, msg: name, path: name }))).toBe(`00:00:00 INFO ${escaped} path=${escaped}\n`);
  expect(readableLine(JSON.stringify({ level: 30, time: 0, msg: 'x', err: { stack: `${name}\n    at` } }))).toContain(`${escaped}\n    at`);
});

test('only the styles of the program stay', () => {
  expect(printableStyled('\u001b[1mname\u001b[22m \u001b[8mhidden')).toBe('\u001b[1mname\u001b[22m \\u{1b}[8mhidden');
});

test('JSON keeps its meaning without control characters', () => {
  const json = printableJson(JSON.stringify({ name: every }));
  expect(json).not.toMatch(/[\p{Cc}]/u);
  expect(JSON.parse(json)).toEqual({ name: every });
});

test('the log has no object of a driver', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) }, false);
  const client = { secretKey: 4_711, connectionParameters: { password: 'secret' } };
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', client });
  logger.error({ err: Object.assign(new Error('lost', { cause }), { client, query: 'select 1' }) }, 'database connection lost');
  expect(JSON.parse(lines[0] as string)).toMatchObject({ err: { message: 'lost', causes: [{ code: 'ECONNRESET' }] } });
  expect(lines[0]).not.toMatch(/secret|select 1/);
});
