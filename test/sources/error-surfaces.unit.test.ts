/** Errors of loads name what a person can do on the surface where the person reads them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OperatorError, onEachSurface } from '../../src/errors.ts';
import { Rejections } from '../../src/sync/files/rejections.ts';
import { valueCheck } from '../../src/sync/values/check-value.ts';

/** Messages that no upload can cause: it has no option, no database and no manifest. */
const others = ['files/manifest.ts', 'readers/database.ts', 'unread.ts', 'outside/reading-process.ts', 'prepare-load.ts', 'source-file.ts'];

test('no message of an upload names an option of the command line', () => {
  const lines = ['src/sync', 'src/sources'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !others.some((other) => name.endsWith(other)))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')),
  );
  const naming = lines.filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line) && /['"`](?:.*\s)?--[a-z].*['"`]/.test(line));
  expect(naming.length).toBeGreaterThanOrEqual(5);
  for (const line of naming) expect(line).toMatch(/commandLine: .*\s--[a-z]/);
});

test('a refusal has the remedies of each of its lines on both surfaces', () => {
  const rejections = new Rejections('each');
  const reason = valueCheck({ type: 'timestamptz', required: false }, undefined)('2026-01-01T00:00:00');
  rejections.add({ file: 'meter.csv', line: 2, column: 'at' }, { reason: reason ?? '' });
  rejections.add({ file: 'meter.csv', line: 3, column: 'id' }, { reason: 'is no integer' });
  const refused = () => rejections.throwIfAny();
  expect(refused).toThrow(OperatorError);
  const defect = 'meter.csv, line 2, column at: "2026-01-01T00:00:00" has no time zone: add Z or an offset';
  const rest = 'meter.csv, line 3, column id: is no integer';
  expect(refused).toThrow(
    expect.objectContaining({
      message: `${defect}, or state the zone with --time-zone\n${rest}`,
      inPortal: `${defect}, or state formats.timezone in a source file\n${rest}`,
    }),
  );
});

test('a text that is the same on both surfaces is one text', () => {
  expect(onEachSurface(() => 'held')).toBe('held');
  expect(new OperatorError('held').inPortal).toBe('held');
});
