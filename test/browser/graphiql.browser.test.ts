/**
 * GraphiQL in a browser: the key, examples and history, answers as tables and in Explore, REST and code for a query, links (contract:
 * GraphiQL).
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { QuestionStore } from '../../src/access/questions.ts';
import { keys } from '../support/settings.ts';
import { violationsOf } from './accessibility.ts';
import { saveScreenshot } from './chromium.ts';
import * as inGraphiql from './graphiql-steps.ts';
import { pagesOfService } from './pages.ts';

const pages = pagesOfService({}, inGraphiql.graphiqlRules);
let page: Page;

/** Opens GraphiQL in a separate tab. */
const openSeparately = async (key?: string): Promise<void> => {
  page = await pages.newPage({ viewport: { width: 1400, height: 850 }, ...(key && { key }) });
  const introspection = key ? page.waitForResponse((response) => response.request().method() === 'POST') : undefined;
  await page.goto('/graphql');
  await (await introspection)?.finished();
};

/** Follows a link to an operation while the page is open. */
const followLink = async (query: string, variables = '') => {
  await page.getByRole('button', { name: 'Examples' }).waitFor();
  await page.evaluate(
    (fragment) => {
      location.hash = fragment;
    },
    `${new URLSearchParams({ query, variables })}`,
  );
  await inGraphiql.waitForEditor(page, query);
};

/** GraphiQL in the tab of the key. It is loaded once; a link to another operation takes the tests to the view JSON. */
const openWith = async (key: string): Promise<void> => {
  page = await pages.keptPage(key, async () => {
    await openSeparately(key);
    return page;
  });
  await page.setViewportSize({ width: 1400, height: 850 });
  await followLink('query Start { catalog { category } }');
};

/** Requests of the page from now on. */
const requestsOf = (observed: Page): string[] => {
  const asked: string[] = [];
  observed.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
  return asked;
};

const expectText = (part: string, text: string) => inGraphiql.expectText(page, part, text);
const openExample = (name: string) => inGraphiql.openExample(page, name);
const run = (name: string) => inGraphiql.runExample(page, name);

const view = (name: string) => page.getByRole('tab', { name, exact: true });
const panel = () => page.locator('#answer-panel');
const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

const expectInResult = async (text: string) => {
  await view('JSON').click();
  await expectText('.graphiql-response', text);
};

test('with a key, an example that follows two relations shows rows', async () => {
  await openSeparately();
  await inGraphiql.enterKey(page, keys.nordProfessional);
  await run('OrdersWithOffer');
  for (const shown of ['"orderId"', '"offer"', '"creditor"', '"name"']) await expectInResult(shown);
  await saveScreenshot(page, 'graphiql-two-relations');
  expect(page.url()).toBe(`${pages.service.url}/graphql`);
  expect(await page.evaluate(() => sessionStorage.getItem('estate-api-key'))).toBe(keys.nordProfessional);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(keys.nordProfessional);
});

test('the explorer lists the tables of the tier and no others', async () => {
  await openSeparately(keys.nordBasic);
  await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).click();
  const explorer = page.locator('.graphiql-plugin');
  await explorer.getByText('propertyStructure', { exact: true }).first().waitFor();
  expect(await explorer.getByText('orders', { exact: true }).count()).toBe(0);
  await saveScreenshot(page, 'graphiql-explorer');
  await explorer.getByText('last:', { exact: true }).first().click();
  await explorer.getByLabel('last', { exact: true }).first().waitFor();
});

test('a wrong key is explained', async () => {
  await openSeparately();
  await inGraphiql.enterKey(page, 'est_nobody_wrong');
  await page.getByText('This API key is not valid.').first().waitFor();
  await openExample('PropertyUnits');
  await inGraphiql.execute(page);
  await panel().getByText('This API key is not valid.').waitFor();
  await expectInResult('"message"');
  await saveScreenshot(page, 'graphiql-wrong-key');
});

test('an answer is a table with the digits of the response', async () => {
  await openWith(keys.nordProfessional);
  await run('OrdersWithOffer');
  await expectInResult('"creditor"');
  await view('Table').click();
  const { rows } = await pages.service.database.pool.query(
    `select order_id, total_net::text, creditor.name from customer_nord.orders
     join customer_nord.offers using (offer_hdr_id) join customer_nord.creditor using (creditor_id)
     order by order_id limit 10`,
  );
  const column = async (name: string) => {
    const names = await panel().locator('th').allTextContents();
    return panel()
      .locator(`tbody td:nth-child(${names.indexOf(name) + 1})`)
      .allTextContents();
  };
  const digits = rows.map(({ total_net }) => total_net);
  expect(await column('orderId')).toEqual(rows.map(({ order_id }) => String(order_id)));
  expect(await column('totalNet')).toEqual(digits);
  expect(await column('offer.creditor.name')).toEqual(rows.map(({ name }) => name));
  await saveScreenshot(page, 'graphiql-table');
});

test.each([
  ['ArrearsPerProperty', ['key.property.propertyName', 'measures.arrears', 'measures.arrearsRatio']],
  ['VacancyByMonth', ['key.vacantSince', 'count', 'sum.areaSqm']],
  ['OpenOrdersPerCreditor', ['key.creditor.name', 'key.trade', 'key.tradeLabel', 'sum.remainingNet']],
  ['MaintenancePerSquareMetre', ['key.property.propertyName', 'measures.maintenanceCostPerSqm']],
  ['DearestTrades', ['key.property.propertyName', 'key.tradeLabel', 'sum.totalNet']],
])('one query answers a question: %s', async (name, columns) => {
  await openWith(keys.nordEnterprise);
  await run(name);
  await expectInResult('"key"');
  await view('Table').click();
  const names = await panel().locator('th').allTextContents();
  for (const column of columns) expect(names).toContain(column);
  expect(await panel().locator('tbody tr').count()).toBeGreaterThan(0);
  await view('REST').click();
  if (name === 'DearestTrades') return panel().getByText('REST has no first groups of each coarser key.').waitFor();
  const command = await panel().locator('pre').first().textContent();
  const [, address = ''] = /'(http.+)'/.exec(command ?? '') ?? [];
  const groups = await fetch(address, { headers: { 'X-API-Key': keys.nordEnterprise } });
  expect(groups.status).toBe(200);
  expect((await groups.json()).length).toBeGreaterThan(0);
});

test('a saved question of the key opens in GraphiQL, and the documentation lists it', async () => {
  const document = '# Which properties are there?\nquery AllProperties { properties { nodes { propertyId } } }';
  await new QuestionStore(pages.service.database).add({ name: 'properties', document }, undefined);
  await openSeparately(keys.nordBasic);
  await page.getByRole('button', { name: 'Questions' }).click();
  await page.getByRole('dialog', { name: 'Questions' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Which properties are there?' }).click();
  await inGraphiql.waitForEditor(page, 'query AllProperties');
  await page.goto(`${pages.service.url}/docs/questions`);
  await page.getByText('/questions/properties Which properties are there?').waitFor();
  await page.getByText('CSV and Power Query').click();
  await page.getByText(`${pages.service.url}/questions/properties?format=csv`).waitFor();
  expect(await page.locator('[data-questions] pre').textContent()).toContain('RelativePath = "questions/properties"');
  expect(await page.locator('[data-questions]').textContent()).not.toContain(keys.nordBasic);
  expect(await violationsOf(page)).toEqual([]);
});

test.each([
  ['en-GB', 'Share and export', 'Download CSV'],
  ['de-DE', 'Teilen und exportieren', 'CSV herunterladen'],
])('from a document to its table, chart and file in three clicks: %s', async (locale, share, download) => {
  page = await pages.newPage({ viewport: { width: 1400, height: 850 }, key: keys.nordEnterprise, locale });
  await page.goto('/graphql');
  await run('OpenOrdersPerCreditor');
  await panel().getByRole('table').waitFor();
  const shown = await panel().locator('tbody tr').count();
  await panel().getByRole('button', { name: 'Open in Explore' }).click();
  await page.locator('.grid.groups tbody tr').first().waitFor();
  await page.locator('canvas').waitFor();
  expect(await page.locator('.grid.groups tbody tr').count()).toBe(shown);
  await saveScreenshot(page, `graphiql-in-explore-${locale}`);
  await page.getByRole('button', { name: share, exact: true }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: download, exact: true }).click()]);
  expect(file.suggestedFilename()).toBe('orders_groups.csv');
  const [head = '', ...lines] = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  const isGerman = locale === 'de-DE';
  expect(head.startsWith('\uFEFF')).toBe(true);
  expect([head.split(isGerman ? ';' : ',').length > 2, lines.length]).toEqual([true, shown]);
  const number = isGerman ? /;-?\d+,\d\d(?:;|$)/ : /,-?\d+\.\d\d(?:,|$)/;
  expect(lines.some((line) => number.test(line))).toBe(true);
  await page.goBack();
  await inGraphiql.waitForEditor(page, 'query OpenOrdersPerCreditor');
});

test('a document without a request in REST says why it does not open in Explore', async () => {
  await openWith(keys.nordEnterprise);
  await run('DearestTrades');
  await panel().getByRole('button', { name: 'Open in Explore' }).click();
  await panel().getByText('REST has no first groups of each coarser key.').waitFor();
});

test('REST for a query requests the same rows, and says what it cannot do', async () => {
  await openWith(keys.nordProfessional);
  await openExample('OrdersWithOffer');
  await view('REST').click();
  const command = await panel().locator('pre').first().textContent();
  const [, address = ''] = /'(http.+)'/.exec(command ?? '') ?? [];
  const rows = await (await fetch(address, { headers: { 'X-API-Key': keys.nordProfessional } })).json();
  expect(rows).toHaveLength(10);
  expect(command).toContain('offer.');
  expect(command).not.toContain(keys.nordProfessional);
  await saveScreenshot(page, 'graphiql-rest');
});

test('content that is higher than the window scrolls in its pane', async () => {
  await openWith(keys.nordProfessional);
  await page.setViewportSize({ width: 1400, height: 500 });
  await openExample('OrdersWithOffer');
  await view('Code').click();
  await panel().locator('pre').waitFor();
  const { y, height } = (await panel().boundingBox())!;
  expect(y + height).toBeLessThan(500);
  await panel().getByText('The key comes from').scrollIntoViewIfNeeded();
  const end = (await panel().getByText('The key comes from').boundingBox())!;
  expect(end.y + end.height).toBeLessThanOrEqual(y + height);
});

test('code for a query is copied without the key, in the language of the last choice', async () => {
  await openSeparately(keys.nordProfessional);
  await openExample('OrdersWithOffer');
  await view('Code').click();
  for (const [language, part] of Object.entries({
    fetch: 'await fetch(',
    Python: 'requests.post(',
  })) {
    await panel().getByLabel('Language').selectOption(language);
    await panel().getByRole('button', { name: 'Copy' }).click();
    await panel().getByRole('button', { name: 'Copied' }).waitFor();
    const code = await clipboard();
    expect(code).toContain(part);
    expect(code).toContain('query OrdersWithOffer');
    expect(code).not.toContain(keys.nordProfessional);
  }
  await page.reload();
  await view('Code').click();
  await panel().getByText('import requests').waitFor();
  await saveScreenshot(page, 'graphiql-code');
});

test('a link contains a query with its variables but no key, sends no request and does not run', async () => {
  await openSeparately(keys.nordProfessional);
  await openExample('OrderPages');
  await expectInResult('"endCursor"');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied').waitFor();
  const link = await clipboard();
  expect(link.startsWith(`${pages.service.url}/graphql#query=`)).toBe(true);
  expect(link).not.toContain(keys.nordProfessional);
  page = await page.context().newPage();
  const asked = requestsOf(page);
  await page.goto(`${link}&variables=${encodeURIComponent('{"after": "abc"}')}`);
  await page.getByText('Opened from a link.').waitFor();
  await page.getByRole('tab', { name: 'OrderPages' }).first().waitFor();
  await expectText('.graphiql-query-editor', 'OrderPages');
  await expectText('.graphiql-editor-tool', 'abc');
  expect(page.url()).toBe(`${pages.service.url}/graphql`);
  await view('REST').click();
  await panel().getByText('Enter an API key above.').waitFor();
  expect(asked.filter((request) => /OrderPages/.test(request))).toEqual([]);
});

test('query and variables are formatted, with a formatter that is loaded on demand', async () => {
  await openSeparately();
  const asked = requestsOf(page);
  await followLink('# Kept\nquery Short{catalog{category}}', '{"a":1}');
  const loads = () => asked.filter((request) => request.includes('graphiql-standalone')).length;
  expect(loads()).toBe(0);
  await page.getByRole('button', { name: /^Prettify query/ }).click();
  await inGraphiql.waitForEditor(page, '# Kept\nquery Short {\n  catalog {');
  await page.waitForFunction(() => localStorage.getItem('graphiql:variables')?.includes('"a": 1'));
  expect(loads()).toBe(1);
});

test('the workers check a query against the schema, and variables as JSON', async () => {
  await openWith(keys.nordProfessional);
  await followLink('query Wrong { orders { nodes { nothingLikeThis } } }', '{"a":');
  await page.locator('.graphiql-query-editor .squiggly-error').first().waitFor();
  await page.locator('.graphiql-editor-tool .squiggly-error').first().waitFor();
});

test('the history survives a reload, without the key', async () => {
  await openSeparately(keys.nordProfessional);
  await run('OrdersWithOffer');
  await expectInResult('"creditor"');
  await page.reload();
  await view('JSON').waitFor();
  await page.getByRole('button', { name: 'Show History' }).click();
  const history = page.locator('.graphiql-plugin');
  await history.getByText('OrdersWithOffer').first().waitFor();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(keys.nordProfessional);
  await history.getByRole('button', { name: 'Clear' }).click();
  await history.getByText('OrdersWithOffer').first().waitFor({ state: 'detached' });
});

test('by keyboard only: an example is found and runs, its answer is shown as a table, requests and code', async () => {
  await openSeparately(keys.nordProfessional);
  await view('JSON').waitFor();
  await page.getByRole('button', { name: 'Examples' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('offer');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await inGraphiql.waitForEditor(page, 'query OrdersWithOffer ');
  await panel().getByRole('table').waitFor();
  await page.locator('.graphiql-execute-button').focus();
  await page.keyboard.press('Enter');
  await panel().getByRole('table').waitFor();
  const toView = async () => {
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.id === 'answer-Table')) return;
    }
    throw new Error('The views cannot be reached');
  };
  await toView();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Table');
  await page.keyboard.press('ArrowRight');
  await panel().locator('pre').first().waitFor();
  await page.keyboard.press('End');
  await panel().getByLabel('Language').waitFor();
  await page.keyboard.press('Home');
  expect(await panel().isVisible()).toBe(false);
});

test('the Delete key closes a tab', async () => {
  await openSeparately(keys.nordBasic);
  await openExample('OrdersWithOffer');
  await page.getByRole('tab', { name: 'OrdersWithOffer' }).focus();
  await page.keyboard.press('Delete');
  await page.getByRole('tab', { name: 'OrdersWithOffer' }).waitFor({ state: 'detached' });
});
