/** Questions that a reader saves from GraphiQL and Explore (contract: questions of keys). */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { endpointGroups } from '../../src/catalogue/tiers.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';
import { appearances, violationsOf } from './accessibility.ts';
import { launchChromium, longestWaitMs, saveScreenshot } from './chromium.ts';
import { expectText, showColors } from './graphiql-steps.ts';

let service: TestService;
let browser: Browser;
let page: Page;
let saver: string;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchChromium()]);
  const customer = await findCustomer(service.database, 'nord');
  const rights = { customer, tier: 'enterprise', groups: endpointGroups, name: 'Controlling' } as const;
  saver = (await new KeyStore(service.database, testSecret).create(rights)).key;
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});
beforeEach(async () => {
  await service.database.pool.query('delete from estate.questions');
});
afterEach(() => page.context().close());

const open = async (path: string, key: string, locale = 'en'): Promise<void> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 850 }, locale, reducedMotion: 'reduce' });
  context.setDefaultTimeout(longestWaitMs);
  page = await context.newPage();
  await page.addInitScript((text) => sessionStorage.setItem('estate-api-key', text), key);
  await page.goto(`${service.url}${path}`);
};

const linkTo = (query: string, variables = '') => `/graphql#${new URLSearchParams({ query, variables })}`;
const button = (name: string) => page.getByRole('button', { name, exact: true });
const listed = async () => (await service.get('/questions', { key: saver })).json;

const query = '# Which houses are there?\nquery AllHouses($first: Int) { properties(first: $first) { nodes { propertyId } } }';

test('GraphiQL saves the document with its values, and replaces it after a confirmation', async () => {
  await open(linkTo(query, '{"first": 2}'), saver);
  await expectText(page, '.graphiql-query-editor .view-lines', 'AllHouses');
  await button('Save as question').click();
  const dialog = page.getByRole('dialog', { name: 'Save as question' });
  expect(await dialog.getByLabel('Name').inputValue()).toBe('all-houses');
  expect(await dialog.getByLabel('Question', { exact: true }).inputValue()).toBe('Which houses are there?');
  await button('Save').click();
  await dialog.getByText(`${service.url}/questions/all-houses`).waitFor();
  const [first] = await listed();
  expect([first.saved_by, first.title, first.document]).toEqual([
    'Controlling',
    'Which houses are there?',
    query.replace('Int)', 'Int = 2)'),
  ]);

  await dialog.getByLabel('Question', { exact: true }).fill('Which two houses are there?');
  await button('Save').click();
  await dialog.getByText('There is a question of this name.').waitFor();
  expect((await listed())[0].title).toBe('Which houses are there?');
  await button('Replace it').click();
  await dialog.getByText(`${service.url}/questions/all-houses`).waitFor();
  expect((await listed())[0].title).toBe('Which two houses are there?');
});

test('the dialog shows why the service refuses, and axe finds nothing in it', async () => {
  await open(linkTo('query Nothing { nothing }'), saver);
  await expectText(page, '.graphiql-query-editor .view-lines', 'Nothing');
  await button('Save as question').click();
  await button('Save').click();
  await page.getByText('Cannot query field "nothing" on type "Query".').last().waitFor();
  for (const [width, colorScheme] of appearances) {
    await page.setViewportSize({ width, height: 812 });
    await showColors(page, colorScheme);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([width, colorScheme, excess, await violationsOf(page)]).toEqual([width, colorScheme, 0, []]);
    await saveScreenshot(page, `graphiql-save-question-${width}-${colorScheme}`);
  }
});

test('a key without the right sees no button', async () => {
  await open(linkTo(query), keys.nordEnterprise);
  const rights = page.waitForResponse((response) => response.url().endsWith('/me'));
  await page.reload();
  await (await rights).finished();
  await button('Copy link').waitFor();
  expect(await button('Save as question').count()).toBe(0);
});

test('Explore saves a view, in German, too', async () => {
  await open('/explore#/property/properties', saver, 'de');
  await button('Teilen und exportieren').click();
  const panel = page.getByRole('dialog', { name: 'Teilen und exportieren' });
  await panel.getByRole('heading', { name: 'Als Frage speichern' }).waitFor();
  await panel.getByLabel('Name').fill('alle-objekte');
  await panel.getByLabel('Frage', { exact: true }).fill('Alle Objekte');
  expect(await violationsOf(page)).toEqual([]);
  await saveScreenshot(page, 'explore-save-question');
  await panel.getByRole('button', { name: 'Speichern', exact: true }).click();
  await panel.getByText(`${service.url}/questions/alle-objekte`).waitFor();
  const [saved] = await listed();
  expect([saved.name, saved.title, saved.formats]).toEqual(['alle-objekte', 'Alle Objekte', ['json', 'csv']]);
});
