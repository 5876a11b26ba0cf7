/**
 * Five requests of an analyst about the `bench` customer. Each is an example in GraphiQL, run in a browser. Measures the time from the click
 * until the response is shown, for the first time and again.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench:graphiql
 */

import { issueKey } from '../scripts/support/key.ts';
import { launchChromium } from '../test/browser/chromium.ts';
import { enterKey, execute, expectText, openExample } from '../test/browser/graphiql-steps.ts';
import { startProductionService } from './service.ts';

const requests = {
  ArrearsPerProperty: 'arrears per property',
  VacancyByMonth: 'vacancy by month',
  OpenOrdersPerCreditor: 'open order volume per creditor and trade',
  MaintenancePerSquareMetre: 'maintenance cost per m² in 2025',
  DearestTrades: 'the three dearest trades of each property',
} as const;

const { key, revoke } = await issueKey('bench');
const service = await startProductionService();
const browser = await launchChromium();

try {
  console.log('| question | first | again | rows shown |\n|---|---|---|---|');
  for (const [name, request] of Object.entries(requests)) {
    const page = await browser.newPage({ viewport: { width: 1400, height: 850 } });
    await page.goto(`${service.url}/graphql`);
    await enterKey(page, key);
    await openExample(page, name);
    const times: number[] = [];
    for (let turn = 0; turn < 2; turn++) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/graphql'));
      const begun = performance.now();
      await execute(page);
      await (await answered).finished();
      await expectText(page, '.graphiql-response', '"key"');
      times.push(performance.now() - begun);
    }
    await page.getByRole('tab', { name: 'Table', exact: true }).click();
    const rows = page.locator('#answer-panel tbody tr');
    await rows.first().waitFor();
    console.log(`| ${request} | ${times.map((time) => `${time.toFixed(0)} ms`).join(' | ')} | ${await rows.count()} |`);
    await page.close();
  }
} finally {
  await browser.close();
  await service.stop();
  await revoke();
}
