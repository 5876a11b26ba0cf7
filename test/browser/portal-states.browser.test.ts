/** Pages of the portal with webhooks, loads and refusals, on a desktop and a phone, in light and dark: axe finds nothing, and all fits. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { password } from '../portal/operator.ts';
import { expectClean } from './accessibility.ts';
import { pagesOfService } from './pages.ts';

const nord = '/portal/customers/nord';
const pages = pagesOfService({ environment: { PORTAL_PASSWORD: password } }, { mayBeRefused: true });
let page: Page;

beforeEach(async () => {
  page = await pages.keptPage('operator', async () => {
    const signedIn = await pages.newPage();
    await signedIn.goto('/portal');
    await signedIn.getByLabel('Operator password').fill(password);
    await signedIn.getByRole('button', { name: 'Sign in' }).click();
    await signedIn.waitForURL('**/portal');
    return signedIn;
  });
});

/** Without a new request: a form that was sent shows its result once. */
const expectCleanState = (state: string): Promise<void> => expectClean(page, state, { picture: 'portal' });

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
  await pages.service.database.pool.query('update estate.webhook_endpoints set disabled_at = now()');
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
  const { rows } = await pages.service.database.pool.query<{ row: object }>(
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
  await page.goto('/portal/customers?q=nobody');
  await expectCleanState('no-customer-found');
  await page.goto('/portal/customers/nobody');
  await expectCleanState('unknown-customer');
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
