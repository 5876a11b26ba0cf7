/** `.ci/report.mjs` names each failed test, and ends with the total of all reports. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'estate-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('failed tests, files that did not start, and the total', () => {
  const totals = (numPassedTests: number, numFailedTests: number) => ({ numPassedTests, numFailedTests, numPendingTests: 1 });
  const passed = { status: 'passed', fullName: 'it works' };
  const write = (name: string, report: object) => writeFileSync(join(folder, `${name}.json`), JSON.stringify(report));
  write('embedded', { ...totals(3, 0), testResults: [{ name: resolve('test/a.test.ts'), status: 'passed', assertionResults: [passed] }] });
  write('browser', {
    ...totals(2, 1),
    testResults: [
      { name: resolve('test/b.test.ts'), status: 'failed', assertionResults: [passed, { status: 'failed', fullName: 'it fails' }] },
      { name: resolve('test/c.test.ts'), status: 'failed', message: 'no such module\nat here', assertionResults: [] },
    ],
  });
  const printed = execFileSync('node', ['.ci/report.mjs', folder], { encoding: 'utf8' });
  expect(printed).toBe(
    'failed in browser: test/b.test.ts: it fails\nfailed in browser: test/c.test.ts: no such module\n\n5 passed, 1 failed, 2 skipped\n',
  );
});
