/** Pages of the portal with webhooks, loads and refusals, on a desktop and a phone, in light and dark: axe finds nothing, and all fits. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { expectClean, oppositeAppearances } from './accessibility.ts';
import { launchChromium, longestWaitMs } from './chromium.ts';

const password = 'correct horse battery';
const nord = '/portal/customers/nord';
let service: TestService;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ environment: { PORTAL_PASSWORD: password } }), launchChromium()]);
  const context = await browser.newContext({ baseURL: service.url, reducedMotion: 'reduce' });
  page = await context.newPage();
  page.setDefaultTimeout(longestWaitMs);
  await page.goto('/portal');
  await page.getByLabel('Operator password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/portal');
});
afterAll(() => Promise.all([browser?.close(), service?.stop()]));

/** Without a new request: a form that was sent shows its result once. */
const expectCleanState = async (state: string): Promise<void> => {
  await expectClean(page, state, oppositeAppearances);
  await page.setViewportSize({ width: 1280, height: 844 });
};

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

test('webhooks: none, a refused address, the secret, a failed delivery, a disabled webhook', async () => {
  await page.goto(`${nord}/webhooks`);
  await page.getByText('There is no webhook yet.').waitFor();
  await page.getByText('Add a webhook').click();
  await expectCleanState('webhooks-none');
  await page.getByLabel('Address').fill('https://127.0.0.1/hook');
  await press('Add the webhook');
  await page.locator('.problem').first().waitFor();
  await expectCleanState('webhooks-refused');
  await page.getByLabel('Address').fill('https://estate.invalid/a-long-path-of-a-receiver/of-the-customer/with/many/parts/hook');
  await press('Add the webhook');
  await page.getByText('Copy it now.').waitFor();
  await expectCleanState('webhook-secret');
  await page.getByRole('link', { name: 'I have saved the secret' }).click();
  await press('Send a test event');
  await page.getByText('The test event was not delivered.').waitFor();
  await expectCleanState('webhook-tested');
  await service.database.pool.query('update estate.webhook_endpoints set disabled_at = now()');
  await page.goto(`${nord}/webhooks`);
  await page.getByText('Nothing is sent to it.').waitFor();
  await expectCleanState('webhook-disabled');
});

/** Sends a file with the form for loads. */
const upload = async (name: string, text: string, button: string): Promise<void> => {
  await page.goto(`${nord}/data`);
  await page.locator('input[name=files]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await page.getByLabel('Mode').selectOption('upsert');
  await press(button);
};

test('loads: a check, a load, a refused file, the history of loads', async () => {
  const { rows } = await service.database.pool.query<{ row: object }>(
    'select to_jsonb(c) as row from customer_nord.creditor_hdr c order by creditor_id limit 1',
  );
  const changed = `${JSON.stringify({ ...rows[0]?.row, website: 'https://new.example' })}\n`;
  await upload('creditor_hdr.ndjson', changed, 'Check only');
  await page.getByText('Nothing was changed').waitFor();
  await expectCleanState('upload-checked');
  await upload('creditor_hdr.ndjson', changed, 'Load');
  await page.getByText('They are loaded.').waitFor();
  await expectCleanState('upload-loaded');
  await upload('creditor_hdr.csv', 'creditor_id;website\n1;A\n', 'Load');
  await page.getByRole('alert').getByText('Nothing was changed').waitFor();
  await expectCleanState('upload-refused');
  await page.goto(`${nord}/data`);
  await expectCleanState('data');
});

test('an unknown customer, no customer that is found, the properties of a key, and a refused key', async () => {
  for (const path of ['/portal/customers?q=nobody', '/portal/customers/nobody']) {
    await page.goto(path);
    await expectCleanState(path);
  }
  await page.goto('/portal/keys/new?customer=nord');
  await page.locator('summary', { hasText: 'Classes and properties' }).click();
  await page.getByLabel('Name, address or id').fill('1002');
  await page.keyboard.press('Enter');
  await page.locator('input[name=pick]').first().waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('find');
  await expectCleanState('properties-found');
  await page.locator('input[name=name]').evaluate((input) => {
    (input as HTMLInputElement).form!.noValidate = true;
  });
  await press('Create key');
  await page.locator('.problem').first().waitFor();
  await expectCleanState('key-refused');
});
