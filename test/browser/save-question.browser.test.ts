/** Questions that a reader saves from GraphiQL and Explore (contract: questions of keys). */
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { endpointGroups } from '../../src/catalogue/tiers.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { keys, testSecret } from '../support/settings.ts';
import { appearances, expectClean, violationsOf } from './accessibility.ts';
import { saveScreenshot } from './chromium.ts';
import { execute, expectText, showColors } from './graphiql-steps.ts';
import { pagesOfService } from './pages.ts';

const pages = pagesOfService({}, { mayBeRefused: true });
let page: Page;
let saver: string;

beforeAll(async () => {
  const { database } = pages.service;
  const customer = await findCustomer(database, 'nord');
  const rights = { customer, tier: 'enterprise', groups: endpointGroups, name: 'Controlling' } as const;
  saver = (await new KeyStore(database, testSecret).create(rights)).key;
});
beforeEach(async () => {
  await pages.service.database.pool.query('delete from estate.questions');
});

const open = async (path: string, key: string, locale = 'en'): Promise<void> => {
  page = await pages.newPage({ key, locale });
  await page.goto(path);
};

const linkTo = (query: string, variables = '') => `/graphql#${new URLSearchParams({ query, variables })}`;
const button = (name: string) => page.getByRole('button', { name, exact: true });
const listed = async () => (await pages.service.get('/questions', { key: saver })).json;

const query = '# Which houses are there?\nquery AllHouses($first: Int) { properties(first: $first) { nodes { propertyId } } }';

test('GraphiQL saves the document with its values, and replaces it after a confirmation', async () => {
  await open(linkTo(query, '{"first": 2}'), saver);
  await expectText(page, '.graphiql-query-editor .view-lines', 'AllHouses');
  await button('Save as question').click();
  const dialog = page.getByRole('dialog', { name: 'Save as question' });
  expect(await dialog.getByLabel('Name').inputValue()).toBe('all-houses');
  expect(await dialog.getByLabel('Question', { exact: true }).inputValue()).toBe('Which houses are there?');
  await button('Save').click();
  await dialog.getByText(`${pages.service.url}/questions/all-houses`).waitFor();
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
  await dialog.getByText(`${pages.service.url}/questions/all-houses`).waitFor();
  expect((await listed())[0].title).toBe('Which two houses are there?');
});

test('the dialog shows why the service refuses, and axe finds nothing in it', async () => {
  await open(linkTo('query Nothing { nothing }'), saver);
  await expectText(page, '.graphiql-query-editor .view-lines', 'Nothing');
  await button('Save as question').click();
  await button('Save').click();
  await page.getByText('Cannot query field "nothing" on type "Query".').last().waitFor();
  await expectClean(page, 'save-question', { given: appearances, picture: 'graphiql', showColors });
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
  await panel.getByText(`${pages.service.url}/questions/alle-objekte`).waitFor();
  const [saved] = await listed();
  expect([saved.name, saved.title, saved.formats]).toEqual(['alle-objekte', 'Alle Objekte', ['json', 'csv']]);
});

const groupsAddress = '/operations/orders/groups?by=trade,status&count&avg=total_net';
const openTakeAway = async (fragment: string) => {
  await open(`/explore#${fragment}`, saver);
  await button('Share and export').click();
  const panel = page.getByRole('dialog', { name: 'Share and export' });
  await panel.getByRole('heading', { name: 'Save as question' }).waitFor();
  return panel;
};

test('Explore saves groups, and the question has the groups of the view', async () => {
  const panel = await openTakeAway(groupsAddress);
  await panel.getByLabel('Name').fill('orders-by-trade');
  await panel.getByLabel('Question', { exact: true }).fill('What do orders cost?');
  await panel.getByRole('button', { name: 'Save', exact: true }).click();
  await panel.getByText(`${pages.service.url}/questions/orders-by-trade`).waitFor();
  const [saved] = await listed();
  expect([saved.name, saved.title]).toEqual(['orders-by-trade', 'What do orders cost?']);
  const answer = await pages.service.get('/questions/orders-by-trade', { key: saver });
  const groups = await pages.service.get(groupsAddress, { key: saver });
  expect(answer.status).toBe(200);
  expect(answer.json.data.ordersGroups.groups).toHaveLength(groups.json.length);
});

test('Open in GraphiQL opens the document of groups, which runs', async () => {
  const panel = await openTakeAway(groupsAddress);
  await panel.getByRole('link', { name: 'Open in GraphiQL' }).click();
  await page.getByText('Opened from a link. Read it before you run it.').waitFor();
  await expectText(page, '.graphiql-query-editor .view-lines', 'groups');
  const answered = page.waitForResponse((response) => /"query":"(?!query Introspection)/.test(response.request().postData() ?? ''));
  await execute(page);
  const { data, errors } = await (await answered).json();
  expect(errors).toBeUndefined();
  expect(JSON.stringify(data)).toContain('"count"');
});

/** Each program that the menu shows, without the key. */
test.each([
  ['en', 'Share and export', 'This view in'],
  ['de', 'Teilen und exportieren', 'Diese Ansicht in'],
])('the menu shows the view as programs without the key, and axe finds nothing: %s', async (locale, menu, label) => {
  await open(`/explore#${groupsAddress}`, saver, locale);
  await button(menu).click();
  const panel = page.getByRole('dialog', { name: menu });
  await panel.locator('details').first().waitFor();
  await panel.locator('summary').first().click();
  const choice = panel.getByRole('combobox', { name: label, exact: true });
  const address = `${pages.service.url}/operations/orders/groups`;
  for (const name of ['curl', 'python', 'pandas', 'typescript', 'agent']) {
    await choice.selectOption(name);
    const text = (await panel.locator('details pre').textContent()) ?? '';
    expect([name, text.includes(name === 'agent' ? 'query_groups' : address), text.includes(saver)]).toEqual([name, true, false]);
  }
  await choice.selectOption('power_query');
  expect(await panel.locator('details pre').textContent()).toContain('Web.Contents(');
  await expectClean(page, `take-away-${locale}`, { given: appearances, picture: 'explore' });
});
