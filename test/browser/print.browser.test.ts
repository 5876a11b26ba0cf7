/** Pages on paper: their text and tables, without the controls of the screen. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { launchChromium, longestWaitMs, saveScreenshot } from './chromium.ts';

let service: TestService;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});
afterEach(() => page.context().close());

const open = async (path: string): Promise<void> => {
  const context = await browser.newContext({ viewport: { width: 794, height: 1123 }, locale: 'en', colorScheme: 'dark' });
  context.setDefaultTimeout(longestWaitMs);
  page = await context.newPage();
  await page.addInitScript((key) => sessionStorage.setItem('estate-api-key', key), keys.nordEnterprise);
  await page.goto(`${service.url}${path}`);
};

/** The controls that would be printed. */
const controls = () =>
  page
    .locator(':is(nav, form, input, select, dialog, button):visible')
    .evaluateAll((all) => all.filter((each) => !each.closest('th')).map((each) => each.outerHTML.slice(0, 80)));

const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test('a page of the documentation is its text', async () => {
  await open('/docs/filters');
  await page.emulateMedia({ media: 'print' });
  expect(await controls()).toEqual([]);
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
  expect(await background()).toBe('rgb(255, 255, 255)');
  await saveScreenshot(page, 'print-docs');
});

test('Explore is its table, with all rows and the conditions', async () => {
  await open('/explore#/operations/orders?where=trade=electrical');
  await page.locator('.grid[aria-busy="false"] tbody tr').first().waitFor();
  const rows = await page.locator('.grid tbody tr').count();
  await page.emulateMedia({ media: 'print' });
  expect(await controls()).toEqual([]);
  expect(await page.locator('.chip:not(.add)').isVisible()).toBe(true);
  const { shown, whole } = await page.locator('.grid').evaluate((grid) => ({ shown: grid.clientHeight, whole: grid.scrollHeight }));
  expect([rows > 0, whole - shown]).toEqual([true, 0]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await saveScreenshot(page, 'print-explore');
});
