/** Pages on paper: their text and tables, without the controls of the screen. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { keys } from '../support/settings.ts';
import { saveScreenshot } from './chromium.ts';
import { pagesOfService } from './pages.ts';

const { newPage } = pagesOfService();
let page: Page;

const open = async (path: string): Promise<void> => {
  page = await newPage({ viewport: { width: 794, height: 1123 }, locale: 'en', colorScheme: 'dark', key: keys.nordEnterprise });
  await page.goto(path);
};

/** The controls that would be printed. The words of a chip are text on paper. */
const controls = () =>
  page
    .locator(':is(nav, form, input, select, dialog, button):visible')
    .evaluateAll((all) => all.filter((each) => !each.closest('th, .words')).map((each) => each.outerHTML.slice(0, 80)));

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
  expect(await page.locator('.chip .words').isVisible()).toBe(true);
  const { shown, whole } = await page.locator('.grid').evaluate((grid) => ({ shown: grid.clientHeight, whole: grid.scrollHeight }));
  expect([rows > 0, whole - shown]).toEqual([true, 0]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await saveScreenshot(page, 'print-explore');
});
