/** The endpoint reference in a browser: its search, trying an endpoint, and axe (contract: interface description). */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { keys } from '../support/settings.ts';
import { appearances, expectClean } from './accessibility.ts';
import { saveScreenshot } from './chromium.ts';
import { pagesOfService } from './pages.ts';

const pages = pagesOfService();
let page: Page;

beforeEach(async () => {
  page = await pages.newPage({ viewport: { width: 1280, height: 900 }, key: keys.nordEnterprise });
  await page.goto('/docs/reference');
  await page.getByRole('searchbox', { name: 'Search endpoints and columns' }).waitFor();
});

const search = (text: string) => page.getByRole('searchbox', { name: 'Search endpoints and columns' }).fill(text);
const shown = () => page.locator('details.endpoint:visible summary code').allTextContents();
const open = (path: string) => page.locator('summary', { has: page.getByText(path, { exact: true }) }).click();
const attempt = (path: string) => page.getByRole('link', { name: `Try it in Explore: ${path}`, exact: true });

test('the search finds endpoints by path, column and meaning, and says when it finds none', async () => {
  await search('total_net');
  await expect.poll(shown).toEqual(['/operations/orders', '/operations/orders/deltas']);
  await search('orders TOTAL_NET since_version');
  await expect.poll(shown).toEqual(['/operations/orders/deltas']);
  await search('no_such_column');
  await page.getByText('No endpoint and no column has these words.').waitFor();
  await search('interface description');
  await expect.poll(shown).toEqual(['/openapi.json']);
  await search('tools/list');
  await expect.poll(shown).toEqual(['/mcp']);
  await search('');
  await expect.poll(async () => (await shown()).length).toBeGreaterThan(100);
});

test('a table is tried in Explore, with values for its required filters', async () => {
  await open('/operations/orders');
  await attempt('/operations/orders').click();
  await page.locator('.grid tbody tr').first().waitFor();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  await page.goBack();
  await search('booking_positions');
  await open('/accounting/booking_positions');
  await attempt('/accounting/booking_positions').click();
  await page.locator('.grid tbody tr').first().waitFor();
  expect(await page.getByRole('combobox', { name: 'Fiscal year' }).inputValue()).toBe('2026');
});

test('another endpoint is a command with the key of the tab, which answers', async () => {
  await open('/me');
  const command = (await page.locator('details[open] pre').first().textContent()) ?? '';
  const [, address = ''] = /'(http[^']+)'$/.exec(command) ?? [];
  expect(command).toContain(keys.nordEnterprise);
  expect((await fetch(address, { headers: { 'X-API-Key': keys.nordEnterprise } })).status).toBe(200);
});

test('an address of an endpoint opens it', async () => {
  await page.goto('/docs/reference#/operations/listOrders');
  await page.locator('details[open] table').first().waitFor();
  expect(await page.locator('details[open] summary code').allTextContents()).toEqual(['/operations/orders']);
});

test('axe finds nothing on the list and on an open endpoint, on a desktop and a phone, and it fits', async () => {
  await search('total_net');
  await open('/operations/orders');
  await page.locator('details[open] table').first().waitFor();
  await saveScreenshot(page, 'docs-reference');
  await expectClean(page, 'reference', { given: appearances });
});
