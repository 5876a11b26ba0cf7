/**
 * Five requests of an analyst about the `bench` customer. Each is an example in GraphiQL, run in a browser. Measures the time from the choice
 * of the example until its rows are shown, and from the click that runs it again.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench -- graphiql
 */

import { issueKey } from '../scripts/support/key.ts';
import { launchChromium } from '../test/browser/chromium.ts';
import { enterKey, execute, runExample } from '../test/browser/graphiql-steps.ts';
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
    const begun = performance.now();
    await runExample(page, name);
    const first = performance.now() - begun;
    const answered = page.waitForResponse((response) => response.url().endsWith('/graphql'));
    const repeated = performance.now();
    await execute(page);
    await (await answered).finished();
    await page.locator('#answer-panel :is(.response-rows, canvas)').waitFor();
    const times = [first, performance.now() - repeated];
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
