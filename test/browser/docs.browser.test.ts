/**
 * The documentation in a browser: common questions answered within three clicks from `/docs`, the key, and axe on every page, in light and
 * dark mode, on a desktop and a phone (contract: interface description; key secrecy).
 */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { guidePages } from '../../src/web/docs/guide.ts';
import { keys } from '../support/settings.ts';
import { appearances, expectClean, oppositeAppearances, violationsOf } from './accessibility.ts';
import { saveScreenshot } from './chromium.ts';
import { pagesOfService } from './pages.ts';

const pages = pagesOfService();
let page: Page;

const open = async (options: BrowserContextOptions = {}) => {
  page = await pages.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  await page.goto('/docs');
};

/** Opens a page of the documentation in the tab of all tests that change nothing which the browser keeps. */
const openKept = async (path: string) => {
  page = await pages.keptPage('reader', pages.newPage);
  await page.goto(path);
};

const input = () => page.getByRole('combobox', { name: 'Search the documentation' });
/** Types a search and waits for the results. */
const search = async (question: string) => {
  await page.keyboard.press('/');
  await page.keyboard.type(question);
  await page.getByRole('option').first().waitFor();
};
const expectText = (text: string) => page.locator('#content').getByText(text).first().waitFor();

describe('from /docs, within three clicks', () => {
  beforeEach(() => openKept('/docs'));

  test('which columns has notifications, and what do they mean', async () => {
    await page.getByRole('link', { name: 'notifications', exact: true }).click();
    await expectText('Date the report was created.');
    await expectText('reportDate');
  });

  test('what does a code mean', async () => {
    await page.getByRole('link', { name: 'Codes', exact: true }).click();
    await page.locator('#din276-300').scrollIntoViewIfNeeded();
    await expectText('Structure - construction works');
  });

  test('how do I get what changed since yesterday', async () => {
    await page.getByRole('link', { name: 'Keeping a copy' }).first().click();
    await page.getByRole('heading', { name: 'What changed since yesterday' }).waitFor();
    await expectText('/changes?since=');
  });

  test('how do I page', async () => {
    await page.getByRole('link', { name: 'Paging' }).first().click();
    await expectText('Every full page carries');
  });
});

test.each([
  ['which columns has notifications', '/docs/tables/notifications', 'Date the report was created.'],
  ['what does code 300 mean', '/docs/codes#din276-300', 'Structure - construction works'],
  ['what does code 30 mean', '/docs/codes', 'What coded columns hold'],
  ['how do I get what changed since yesterday', '/docs/copy', '/changes?since='],
  ['how do I page', '/docs/paging', 'Every full page carries'],
  ['Schadensmeldung', '/docs/tables/notifications', 'Maintenance reports'],
  ['total_net', '/docs/tables/orders#column-total_net', 'Total net order value.'],
  ['rate limit', '/docs/limits', 'in an hour'],
  ['arreas', '/docs/tables/tenants#measure-arrears', 'Sum of the balances'],
  ['power bi', '/docs/spreadsheets', 'Advanced editor'],
  ['delete', '/docs#reading-only', 'The service only reads data.'],
])('search: %s', async (question, address, text) => {
  await openKept('/docs');
  await search(question);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.href.startsWith(`${pages.service.url}${address}`));
  await expectText(text);
});

test('the search works with the arrow keys and Escape, and says when it finds nothing', async () => {
  await openKept('/docs');
  await search('status');
  const active = () => page.locator('[role=option][aria-selected=true]').getAttribute('id');
  const first = await active();
  await page.keyboard.press('ArrowDown');
  expect(await active()).not.toBe(first);
  expect(await input().getAttribute('aria-activedescendant')).toBe(await active());
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  await input().fill('xyzzyx');
  const message = page.getByText('Nothing has these words.');
  await message.waitFor();
  const lines = await message.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
});

test('the key is used in samples and requests of this tab, and appears in no address', async () => {
  await open();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByLabel('Your key').fill(keys.nordProfessional);
  await page.getByRole('button', { name: 'Use it here' }).click();
  await page.getByText('Tier professional:').waitFor();
  expect(await page.locator('pre').first().textContent()).toContain(`X-API-Key: ${keys.nordProfessional}`);
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(keys.nordProfessional);

  await page.goto('/docs/tables/notifications');
  await page.locator('details.codes summary').first().click();
  await page.getByText('codes of your own data').first().waitFor();
  await page.getByRole('link', { name: 'Look at its rows in Explore' }).click();
  await page.locator('.grid tbody tr').first().waitFor();

  await page.goto('/docs/tables/accounts');
  await expectText('Not for this key');

  await page.goto('/docs');
  await page.getByRole('button', { name: 'Forget it' }).click();
  expect(await page.locator('pre').first().textContent()).toContain('est_YOUR_KEY');
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(keys.nordProfessional);
  expect(asked.filter((address) => address.includes(keys.nordProfessional))).toEqual([]);
});

test('with a key each table shows its number of rows and the age of its data', async () => {
  await open();
  expect(await page.locator('[data-state-of]').count()).toBe(0);
  await page.getByLabel('Your key').fill(keys.nordProfessional);
  await page.getByRole('button', { name: 'Use it here' }).click();
  await page
    .getByText(
      /^Tier professional: 17 tables of contracts, operations, property, stakeholder and \d+ raw tables, by rest, raw, graphql, files\. Data/,
    )
    .waitFor();
  const { rows } = await pages.service.database.pool.query('select count(*) from customer_nord.orders');
  const said = new RegExp(`^${Number(rows[0].count).toLocaleString('en')} rows, loaded \\d+ \\S+ ago$`);
  await page.goto('/docs/tables/orders');
  await page.locator('.facts').getByText(said).waitFor();
  await page.goto('/docs/tables');
  await page
    .getByRole('row', { name: /^orders/ })
    .getByText(said)
    .waitFor();
  await page
    .getByRole('row', { name: /^accounts/ })
    .getByText('Not for this key')
    .waitFor();
});

test('the contents are scrolled to the current page', async () => {
  await openKept('/docs');
  for (const name of ['Paging', 'tenants']) {
    await page.getByRole('link', { name, exact: true }).first().click();
    const place = page.locator('#contents [aria-current]');
    await place.waitFor();
    expect(await place.textContent()).toBe(name);
    const { y, height } = (await place.boundingBox())!;
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThan(900);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  }
});

test('a sample shows one language, which is remembered on all pages', async () => {
  await open();
  await page.getByRole('tab', { name: 'curl' }).first().focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('from urllib.request import').first().waitFor();
  await page.goto('/docs/paging');
  await page.getByText('from urllib.request import').first().waitFor();
  expect(await page.getByText('curl -s -D').isVisible()).toBe(false);
});

test('without JavaScript every page is readable, with all languages', async () => {
  await open({ javaScriptEnabled: false });
  for (const text of ['curl -H', 'urlopen', 'await fetch', 'Web.Contents']) await expectText(text);
  await page.getByRole('link', { name: 'notifications', exact: true }).click();
  await expectText('Date the report was created.');
  expect(await page.getByRole('combobox').count()).toBe(0);
});

const paths = [
  ...guidePages.map((name) => (name === 'start' ? '/docs' : `/docs/${name}`)),
  ...['changelog', 'tables', 'codes', 'glossary', 'raw'].map((name) => `/docs/${name}`),
  ...['notifications', 'orders', 'properties', 'kontenmapping_ranges', 'booking_positions'].map((name) => `/docs/tables/${name}`),
];

/** Pages of each kind, which are looked at in all appearances. The style sheet is the same for all. */
const ofEachKind = ['/docs', '/docs/analysts', '/docs/tables/orders', '/docs/codes'];

test.each(paths)('%s has no axe violations and fits, in light and dark mode, on a desktop and a phone', async (path) => {
  await openKept(path);
  await page.locator('details').evaluateAll((all) => {
    // All of them are alike. With the columns of every raw table axe takes minutes.
    for (const details of all.slice(0, 5)) (details as HTMLDetailsElement).open = true;
  });
  await expectClean(page, path, { given: ofEachKind.includes(path) ? appearances : oppositeAppearances });
});

test('axe finds nothing next to search results, nor with open contents on a phone', async () => {
  await openKept('/docs');
  await search('notifications');
  await expectClean(page, 'found', { given: appearances });
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 375, height: 812 });
  await page.getByRole('button', { name: 'Contents' }).click();
  await page.getByRole('link', { name: 'Glossary' }).first().waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test.runIf(process.env.SCREENSHOTS)('screenshots', async () => {
  await open();
  await page.evaluate((key) => sessionStorage.setItem('estate-api-key', key), keys.nordProfessional);
  const paths = { start: '/docs', table: '/docs/tables/notifications', reference: '/docs/reference' };
  for (const [name, path] of Object.entries(paths)) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(path);
    const shown = {
      start: page.getByText('Tier professional:'),
      table: page.getByText(/ rows, loaded /),
      reference: page.getByText('auxiliary'),
    };
    await shown[name as keyof typeof shown].first().waitFor();
    await saveScreenshot(page, `docs-${name}-desktop-light`);
    await page.setViewportSize({ width: 375, height: 812 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('button', { name: 'Contents' }).waitFor();
    await saveScreenshot(page, `docs-${name}-phone-dark`);
  }
});
