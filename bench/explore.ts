/**
 * Clicks of an analyst in Explore about the `bench` customer, in a browser. Measures the time from the click until the page shows the rows or
 * groups of the answer.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench -- explore
 */
import type { Page } from 'playwright-core';
import { issueKey } from '../scripts/support/key.ts';
import { launchChromium } from '../test/browser/chromium.ts';
import { median, startProductionService } from './service.ts';

/** New pages for each click. The first has no cached answer. */
const pages = 5;

interface Click {
  readonly name: string;
  /** Where the page is before the click. */
  readonly from: string;
  /** The last step of the click. Earlier ones are not measured. */
  readonly prepare?: (page: Page) => Promise<void>;
  readonly click: (page: Page) => Promise<void>;
  /** Part of the request that the click sends. */
  readonly request: string;
}

const openTable = (label: string) => (page: Page) =>
  page
    .locator('a.card')
    .filter({ has: page.getByText(label, { exact: true }) })
    .click();
const openColumn = (label: string) => (page: Page) => page.getByRole('button', { name: `Sort and filter ${label}` }).click();
const choose = (label: string) => (page: Page) =>
  page.locator('.menu-panel:popover-open').getByRole('button', { name: label, exact: true }).click();

const clicks: readonly Click[] = [
  { name: 'open orders', from: '', click: openTable('Orders'), request: '/operations/orders?' },
  { name: 'open booking lines of the newest year', from: '', click: openTable('Booking lines'), request: '/accounting/booking_positions?' },
  {
    name: 'sort orders by total, descending',
    from: '#/operations/orders',
    prepare: openColumn('Total net'),
    click: choose('▼ Sort descending'),
    request: 'order=-total_net',
  },
  {
    name: 'next page of orders',
    from: '#/operations/orders',
    click: (page) => page.getByRole('button', { name: 'Next', exact: true }).click(),
    request: 'cursor=',
  },
  {
    name: 'group orders by trade',
    from: '#/operations/orders',
    prepare: openColumn('Trade'),
    click: choose('⊞ Group by this'),
    request: '/groups?',
  },
];

const { key, revoke } = await issueKey('bench');
const service = await startProductionService();
const browser = await launchChromium();

/** Milliseconds from the click until nothing is read any more, and the answer is shown. */
const measure = async ({ from, prepare, click, request }: Click): Promise<number> => {
  const page = await browser.newPage({ viewport: { width: 1400, height: 850 } });
  await page.addInitScript((text) => sessionStorage.setItem('estate-api-key', text), key);
  await page.goto(`${service.url}/explore${from}`);
  await page.locator('.cards-list, .grid[aria-busy=false] tbody tr').first().waitFor();
  await prepare?.(page);
  const answered = page.waitForResponse((response) => response.url().includes(request));
  const begun = performance.now();
  await click(page);
  await (await answered).finished();
  await page.locator('.grid[aria-busy=false] tbody tr').first().waitFor();
  const milliseconds = performance.now() - begun;
  await page.close();
  return milliseconds;
};

try {
  console.log('| click | first | again |\n|---|---|---|');
  for (const click of clicks) {
    const times: number[] = [];
    for (let turn = 0; turn < pages; turn++) times.push(await measure(click));
    const [first = Number.NaN, ...again] = times;
    console.log(`| ${click.name} | ${first.toFixed(0)} ms | ${median(again).toFixed(0)} ms |`);
  }
} finally {
  await browser.close();
  await service.stop();
  await revoke();
}
