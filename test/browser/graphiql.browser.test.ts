/** GraphiQL in a real browser: the key, an example that follows two relations, a wrong key (contract: GraphiQL). */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { violationsOf } from './accessibility.ts';
import { keepScreenshot, launchChromium } from './chromium.ts';

let service: TestService;
let browser: Browser;
let page: Page;
const foreign: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  service = await startService();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  const context = await browser.newContext({ viewport: { width: 1400, height: 850 } });
  page = await context.newPage();
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(service.url)) foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text());
  });
  await page.goto(`${service.url}/graphql`);
});

afterEach(() => page.context().close());

/** Types a key and waits until GraphiQL has asked for the schema with it. */
const enterKey = async (key: string) => {
  await page.getByLabel('API key').fill(key);
  const introspection = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Use key' }).click();
  await (await introspection).finished();
};

/** Waits until a part of GraphiQL says something; Monaco draws text in pieces, which are compared as a whole. */
const sees = (part: string, text: string) =>
  page.waitForFunction(([selector, wanted]) => document.querySelector(`${selector}`)?.textContent?.includes(`${wanted}`), [part, text]);

/** GraphiQL reads a tab's text a moment after it shows it, and stores the text when it has: till then it runs the last tab's operation. */
const hasRead = (text: string) => page.waitForFunction((wanted) => localStorage.getItem('graphiql:query')?.includes(wanted), text);

const run = async (tab: string) => {
  await page.getByRole('tab', { name: tab }).click();
  await hasRead(`query ${tab} `);
  await page.locator('.graphiql-execute-button').click();
};

const seesInResult = (text: string) => sees('.graphiql-response', text);

test('with a key, an example that follows two relations shows rows', async () => {
  await enterKey(keys.nordProfessional);
  await run('OrdersWithOffer');
  for (const shown of ['"orderId"', '"offer"', '"creditor"', '"name"']) await seesInResult(shown);
  await keepScreenshot(page, 'graphiql-two-relations');
  expect(page.url()).toBe(`${service.url}/graphql`);
  expect(await page.evaluate(() => sessionStorage.getItem('estate-api-key'))).toBe(keys.nordProfessional);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(keys.nordProfessional);
});

test('the explorer lists the tables of the tier and no others', async () => {
  await enterKey(keys.nordBasic);
  await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).click();
  const explorer = page.locator('.graphiql-plugin');
  await explorer.getByText('propertyStructure', { exact: true }).first().waitFor();
  expect(await explorer.getByText('orders', { exact: true }).count()).toBe(0);
  await keepScreenshot(page, 'graphiql-explorer');
});

test('a wrong key is told in words', async () => {
  await enterKey('est_nobody_wrong');
  await page.getByText('This API key is not valid.').first().waitFor();
  await run('PropertyUnits');
  await seesInResult('"message"');
  await keepScreenshot(page, 'graphiql-wrong-key');
});

test('axe finds nothing, with an answer, the documentation or the explorer beside it', async () => {
  const clean = async (state: string) => expect([state, await violationsOf(page)]).toEqual([state, []]);
  await enterKey(keys.nordProfessional);
  await run('OrdersWithOffer');
  await seesInResult('"creditor"');
  await clean('answered');
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await page.locator('.graphiql-doc-explorer-type-name').first().waitFor();
  await clean('documentation');
  await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).click();
  await page.locator('.graphiql-plugin').getByText('orders', { exact: true }).first().waitFor();
  await clean('explorer');
});

test('the Delete key closes a tab', async () => {
  await enterKey(keys.nordBasic);
  await page.getByRole('tab', { name: 'OrdersWithOffer' }).focus();
  await page.keyboard.press('Delete');
  await page.getByRole('tab', { name: 'OrdersWithOffer' }).waitFor({ state: 'detached' });
});

test('nothing is fetched from elsewhere, and the content security policy is never in the way', () => {
  expect(foreign).toEqual([]);
  expect(complaints).toEqual([]);
});
