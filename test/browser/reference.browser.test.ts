/** The endpoint reference in a browser: its search, trying an endpoint, and axe (contract: interface description). */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { violationsOf } from './accessibility.ts';
import { launchChromium, longestWaitMs, saveScreenshot } from './chromium.ts';

let service: TestService;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchChromium()]);
});
afterAll(() => Promise.all([browser?.close(), service?.stop()]));

beforeEach(async () => {
  const context = await browser.newContext({ baseURL: service.url, viewport: { width: 1280, height: 900 } });
  page = await context.newPage();
  page.setDefaultTimeout(longestWaitMs);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url)) complaints.push(`asked ${request.url()}`);
  });
  await page.goto('/docs/reference');
  await page.locator('.opblock-tag').first().waitFor();
});
afterEach(async () => {
  await page.context().close();
  expect(complaints.splice(0)).toEqual([]);
});

const search = (text: string) => page.getByRole('textbox', { name: 'Search endpoints and columns' }).fill(text);
/** Waits until the search shows exactly these paths. */
const shows = (...paths: string[]) =>
  page.waitForFunction(
    (wanted) =>
      JSON.stringify([...document.querySelectorAll('.opblock-summary-path')].map((element) => element.getAttribute('data-path'))) ===
      JSON.stringify(wanted),
    paths,
  );
const open = async (path: string) => {
  await page.locator(`[data-path="${path}"]`).click();
  await page.getByRole('button', { name: 'Try it out' }).click();
};
const authorize = async (key: string) => {
  await page.getByRole('button', { name: 'Authorize', exact: true }).first().click();
  // The dialog also has a form for Basic authentication.
  const form = page.getByRole('dialog').locator('.auth-container', { has: page.locator('#api_key_value') });
  await form.getByRole('textbox').fill(key);
  await form.getByRole('button', { name: 'Authorize' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).waitFor();
};
/** The rows of the response to `Execute`. */
const execute = async (): Promise<unknown[]> => {
  await page.getByRole('button', { name: 'Execute' }).click();
  return JSON.parse((await page.locator('.live-responses-table .highlight-code pre').first().textContent()) ?? '');
};
const filled = () =>
  page.locator('.parameters :is(input, select, textarea)').evaluateAll((controls) =>
    controls.flatMap((control) => {
      const { value } = control as HTMLInputElement;
      return value === '' ? [] : [`${control.closest('tr')?.dataset.paramName}=${value}`];
    }),
  );

test('the search finds endpoints by path, column and meaning, and says when it finds none', async () => {
  await search('total_net');
  await shows('/operations/orders', '/operations/orders/deltas');
  await search('orders TOTAL_NET since');
  await shows('/operations/orders/deltas');
  await search('no_such_column');
  await page.getByText('No endpoint and no column has these words.').waitFor();
  await search('interface description');
  await shows('/openapi.json');
  await search('tools/list');
  await shows('/mcp');
  await search('');
  await page.waitForFunction(() => document.querySelectorAll('.opblock-tag').length > 5);
  expect(await page.locator('.opblock').count()).toBe(0);
});

test('an endpoint returns rows with the initial form, because optional parameters are empty', async () => {
  await authorize(keys.nordEnterprise);
  await page.getByRole('button', { name: 'Close' }).first().click();
  await search('/operations/orders');
  await shows('/operations/orders', '/operations/orders/deltas', '/operations/orders/groups');
  await open('/operations/orders');
  expect(await filled()).toEqual([]);
  expect(await page.getByLabel('property_id', { exact: true }).getAttribute('placeholder')).toBe('such as 1001');
  expect((await execute()).length).toBeGreaterThan(10);
});

test('required parameters are prefilled with values that find rows of the demo', async () => {
  await authorize(keys.nordEnterprise);
  await page.getByRole('button', { name: 'Close' }).first().click();
  await search('booking_positions');
  await shows(
    '/accounting/booking_positions',
    '/v1/accounting/booking_positions',
    '/accounting/booking_positions/deltas',
    '/accounting/booking_positions/groups',
  );
  await open('/accounting/booking_positions');
  expect(await filled()).toEqual(['property_id=1001', 'fiscal_year=2026']);
  expect((await execute()).length).toBeGreaterThan(10);
});

/** In light and dark mode. */
const clean = async (state: string) => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect([state, colorScheme, await violationsOf(page)]).toEqual([state, colorScheme, []]);
  }
};

test('axe finds nothing on the list of endpoints and at the key', async () => {
  await clean('as it comes');
  await search('total_net');
  await shows('/operations/orders', '/operations/orders/deltas');
  await clean('found');
  await authorize(keys.nordEnterprise);
  await clean('with a key');
});

test('axe finds nothing on an endpoint that was tried, on a desktop and a phone, and it fits', async () => {
  await search('total_net');
  await shows('/operations/orders', '/operations/orders/deltas');
  await authorize(keys.nordEnterprise);
  await page.getByRole('button', { name: 'Close' }).first().click();
  await open('/operations/orders');
  await page.getByLabel('limit', { exact: true }).fill('3');
  expect(await execute()).toHaveLength(3);
  await clean('answered');
  await saveScreenshot(page, 'docs-reference');
  await page.setViewportSize({ width: 375, height: 812 });
  await clean('on a phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
