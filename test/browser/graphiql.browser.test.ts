/**
 * GraphiQL in a browser: the key, examples and history, answers as tables and charts, REST and code for a query, links (contract:
 * GraphiQL).
 */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { QuestionStore } from '../../src/access/questions.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { violationsOf } from './accessibility.ts';
import { launchChromium, longestWaitMs, saveScreenshot } from './chromium.ts';
import * as inGraphiql from './graphiql-steps.ts';

let service: TestService;
let browser: Browser;
let page: Page;
const foreign: string[] = [];
const complaints: string[] = [];
/** Requests of the page, and their responses. */
let asked: string[] = [];

beforeAll(async () => {
  service = await startService();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 850 },
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(longestWaitMs);
  asked = [];
  page = await context.newPage();
  listen();
  // Most tests compare names and digits with those of the response.
  await page.addInitScript(() =>
    localStorage.setItem('estate-answer-language', localStorage.getItem('estate-answer-language') ?? 'As sent'),
  );
  await page.goto(`${service.url}/graphql`);
});

afterEach(() => page.context().close());

/** Requests of the page, and its errors. */
const listen = () => {
  page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(service.url)) foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
};

const enterKey = (key: string) => inGraphiql.enterKey(page, key);
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
  await enterKey(keys.nordProfessional);
  await run('OrdersWithOffer');
  for (const shown of ['"orderId"', '"offer"', '"creditor"', '"name"']) await expectInResult(shown);
  await saveScreenshot(page, 'graphiql-two-relations');
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
  await saveScreenshot(page, 'graphiql-explorer');
  await explorer.getByText('last:', { exact: true }).first().click();
  await explorer.getByLabel('last', { exact: true }).first().waitFor();
});

test('a wrong key is explained', async () => {
  await enterKey('est_nobody_wrong');
  await page.getByText('This API key is not valid.').first().waitFor();
  await openExample('PropertyUnits');
  await inGraphiql.execute(page);
  await panel().getByText('This API key is not valid.').waitFor();
  await expectInResult('"message"');
  await saveScreenshot(page, 'graphiql-wrong-key');
});

test('an answer is a table with the digits of the response, and so is its file', async () => {
  await enterKey(keys.nordProfessional);
  await run('OrdersWithOffer');
  await expectInResult('"creditor"');
  await view('Table').click();
  const { rows } = await service.database.pool.query(
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
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()]);
  expect(file.suggestedFilename()).toBe('orders.csv');
  const [head, first] = readFileSync(await file.path(), 'utf8').split('\r\n');
  expect(head).toBe('orderId,subject,orderDate,totalNet,invoiceStatusLabel,offer.offerValue,offer.statusTextLabel,offer.creditor.name');
  expect(first?.split(',')[3]).toBe(digits[0]);
});

test.each([
  ['ArrearsPerProperty', ['key.property.propertyName', 'measures.arrears', 'measures.arrearsRatio']],
  ['VacancyByMonth', ['key.vacantSince', 'count', 'sum.areaSqm']],
  ['OpenOrdersPerCreditor', ['key.creditor.name', 'key.trade', 'key.tradeLabel', 'sum.remainingNet']],
  ['MaintenancePerSquareMetre', ['key.property.propertyName', 'measures.maintenanceCostPerSqm']],
  ['DearestTrades', ['key.property.propertyName', 'key.tradeLabel', 'sum.totalNet']],
])('one query answers a question: %s', async (name, columns) => {
  await enterKey(keys.nordEnterprise);
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
  await new QuestionStore(service.database).add({ name: 'properties', document }, undefined);
  await enterKey(keys.nordBasic);
  await page.getByRole('button', { name: 'Questions' }).click();
  await page.getByRole('dialog', { name: 'Questions' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Which properties are there?' }).click();
  await inGraphiql.waitForEditor(page, 'query AllProperties');
  await page.goto(`${service.url}/docs/questions`);
  await page.getByText('/questions/properties Which properties are there?').waitFor();
  await page.getByText('CSV and Power Query').click();
  await page.getByText(`${service.url}/questions/properties?format=csv`).waitFor();
  expect(await page.locator('[data-questions] pre').textContent()).toContain('RelativePath = "questions/properties"');
  expect(await page.locator('[data-questions]').textContent()).not.toContain(keys.nordBasic);
  expect(await violationsOf(page)).toEqual([]);
});

test('groups over months are a line chart', async () => {
  await enterKey(keys.nordEnterprise);
  await run('VacancyByMonth');
  await page.getByRole('img', { name: /^Line chart of .* by key.vacantSince/ }).waitFor();
  await saveScreenshot(page, 'graphiql-groups');
});

test('one of several lists can be chosen; rows of a relation follow their parents', async () => {
  await enterKey(keys.nordBasic);
  await run('PropertyUnits');
  await expectInResult('"floorAreas"');
  await view('Table').click();
  await panel().getByLabel('List').selectOption('properties.floorAreas');
  const names = await panel().locator('th').allTextContents();
  for (const name of ['properties.address', 'usageTypeLabel', 'areaSqm']) expect(names).toContain(name);
  expect(await panel().locator('tbody tr').count()).toBeGreaterThan(5);
});

test('an answer is a chart: a line over days, bars by choice, with a text alternative', async () => {
  await enterKey(keys.nordProfessional);
  await run('OrdersWithOffer');
  await expectInResult('"creditor"');
  await view('Chart').click();
  await page.getByRole('img', { name: 'Line chart of totalNet by orderDate: 10 values; the table has them as text.' }).waitFor();
  await saveScreenshot(page, 'graphiql-chart-line');
  await panel().getByLabel('Across').selectOption('offer.creditor.name');
  await panel().getByLabel('Up').selectOption('offer.offerValue');
  await panel().getByRole('combobox', { name: 'As', exact: true }).selectOption('bar');
  await page.getByRole('img', { name: 'Bar chart of offer.offerValue by offer.creditor.name' }).waitFor();
  const drawn = () =>
    page.getByRole('img', { name: 'Bar chart' }).evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const pixels = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
      return pixels.some((value) => value > 0);
    });
  expect(await drawn()).toBe(true);
  await saveScreenshot(page, 'graphiql-chart-bars');
  await view('JSON').click();
  await view('Chart').click();
  await page.getByRole('img', { name: 'Bar chart of offer.offerValue by offer.creditor.name' }).waitFor();
});

test('the totals of a table have the sum of an additive measure, and none of a ratio', async () => {
  await enterKey(keys.nordProfessional);
  await run('ArrearsPerProperty');
  await expectInResult('"arrearsRatio"');
  await view('Table').click();
  const columns = await panel().locator('th').allTextContents();
  const at = columns.indexOf('measures.arrears');
  const texts = await panel()
    .locator(`tbody td:nth-child(${at + 1})`)
    .allTextContents();
  const cents = texts.reduce((sum, text) => sum + Math.round(Number(text) * 100), 0);
  const totals = await panel().locator('tfoot td').allTextContents();
  expect(totals[at]).toBe((cents / 100).toFixed(2));
  expect(totals[columns.indexOf('measures.arrearsRatio')]).toBe('');
});

test('a table is sorted and has totals and labels; its head and first column stay while it scrolls', async () => {
  await enterKey(keys.nordEnterprise);
  await run('OpenOrdersPerCreditor');
  await expectInResult('"key"');
  await view('Table').click();
  const digits = () => panel().locator('tbody td:last-child').allTextContents();
  await panel().getByRole('button', { name: 'sum.remainingNet' }).click();
  await panel().locator('th[aria-sort="ascending"]').waitFor();
  const sorted = await digits();
  expect(sorted).toEqual(sorted.toSorted((a, b) => Number(a) - Number(b)));
  const cents = sorted.reduce((sum, text) => sum + Math.round(Number(text) * 100), 0);
  expect(await panel().locator('tfoot td').last().textContent()).toBe((cents / 100).toFixed(2));
  await panel().getByLabel('Names and formats').selectOption('Deutsch');
  await panel().getByRole('columnheader', { name: 'Gewerk' }).first().waitFor();
  expect(await panel().locator('tfoot td').first().textContent()).toBe('Summe');
  expect((await digits())[0]).toMatch(/^-?[\d.]+,\d\d$/);
  await saveScreenshot(page, 'graphiql-table-german');
  await page.setViewportSize({ width: 375, height: 812 });
  const scrolled = await panel()
    .locator('.response-rows')
    .evaluate((region) => {
      region.scrollTo(200, 150);
      const frame = region.getBoundingClientRect();
      const head = region.querySelector('th') as HTMLElement;
      const { left, top } = head.getBoundingClientRect();
      return {
        left: Math.round(left - frame.left),
        top: Math.round(top - frame.top),
        moved: region.scrollLeft > 0 && region.scrollTop > 0,
      };
    });
  expect(scrolled).toEqual({ left: 1, top: 1, moved: true });
  expect(await violationsOf(page)).toEqual([]);
});

test('names that begin like a date are bars, and rows without a day are left out of a line', async () => {
  await enterKey(keys.nordEnterprise);
  await run('BudgetAgainstActual');
  await expectInResult('"costCenterId"');
  await view('Chart').click();
  await page.getByRole('img', { name: 'Grouped bar chart of measures.plannedCosts by key.costCenterId' }).waitFor();
  await view('JSON').click();
  await run('LeaseExpiries');
  await expectInResult('"contractEndDate"');
  await view('Chart').click();
  await page.getByRole('img', { name: 'Line chart of' }).waitFor();
  await panel().getByText('Left out without a day').waitFor();
});

test('a chart of two keys is stacked, is saved as PNG and SVG, and a link shows it again', async () => {
  await enterKey(keys.nordEnterprise);
  await run('DearestTrades');
  await expectInResult('"key"');
  await view('Chart').click();
  await panel().getByLabel('Across').selectOption('key.property.propertyName');
  await panel().getByLabel('Split by').selectOption('key.tradeLabel');
  await panel().getByRole('combobox', { name: 'As', exact: true }).selectOption('stacked');
  await panel().getByLabel('Names and formats').selectOption('Deutsch');
  const title = 'Gesamtbetrag netto (Summe)';
  await page.getByRole('img', { name: `Stacked bar chart of ${title}` }).waitFor();
  await saveScreenshot(page, 'graphiql-chart-stacked');
  const saved = async (kind: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: `Download ${kind}` }).click()]);
    return readFileSync(await file.path());
  };
  expect((await saved('PNG')).subarray(1, 4).toString()).toBe('PNG');
  const svg = (await saved('SVG')).toString();
  const drawing = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return { errors: parsed.querySelectorAll('parsererror').length, bars: parsed.querySelectorAll('g > rect').length };
  }, svg);
  expect(drawing.errors).toBe(0);
  expect(drawing.bars).toBeGreaterThan(8);
  expect(svg).toContain(title);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied').waitFor();
  const link = await clipboard();
  page = await page.context().newPage();
  listen();
  await page.goto(link);
  await page.getByText('Opened from a link.').waitFor();
  await enterKey(keys.nordEnterprise);
  await inGraphiql.waitForEditor(page, 'query DearestTrades');
  await inGraphiql.execute(page);
  await page.getByRole('img', { name: `Stacked bar chart of ${title}` }).waitFor();
});

test('REST for a query requests the same rows, and says what it cannot do', async () => {
  await enterKey(keys.nordProfessional);
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
  await page.setViewportSize({ width: 1400, height: 500 });
  await enterKey(keys.nordProfessional);
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
  await enterKey(keys.nordProfessional);
  await openExample('OrdersWithOffer');
  await view('Code').click();
  for (const [language, part] of Object.entries({
    fetch: 'await fetch(',
    Apollo: 'new ApolloClient',
    urql: '@urql/core',
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
  await enterKey(keys.nordProfessional);
  await openExample('OrderPages');
  await expectInResult('"endCursor"');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied').waitFor();
  const link = await clipboard();
  expect(link.startsWith(`${service.url}/graphql#query=`)).toBe(true);
  expect(link).not.toContain(keys.nordProfessional);
  page = await page.context().newPage();
  asked = [];
  listen();
  await page.goto(`${link}&variables=${encodeURIComponent('{"after": "abc"}')}`);
  await page.getByText('Opened from a link.').waitFor();
  await page.getByRole('tab', { name: 'OrderPages' }).first().waitFor();
  await expectText('.graphiql-query-editor', 'OrderPages');
  await expectText('.graphiql-editor-tool', 'abc');
  expect(page.url()).toBe(`${service.url}/graphql`);
  await view('REST').click();
  await panel().getByText('Enter an API key above.').waitFor();
  expect(asked.filter((request) => /OrderPages/.test(request))).toEqual([]);
});

/** Follows a link to an operation while the page is open. */
const followLink = async (query: string, variables: string) => {
  await page.getByRole('button', { name: 'Examples' }).waitFor();
  await page.goto(`${service.url}/graphql#${new URLSearchParams({ query, variables })}`);
  await inGraphiql.waitForEditor(page, query);
};

test('query and variables are formatted, with a formatter that is loaded on demand', async () => {
  await followLink('# Kept\nquery Short{catalog{category}}', '{"a":1}');
  const loads = () => asked.filter((request) => request.includes('graphiql-standalone')).length;
  expect(loads()).toBe(0);
  await page.getByRole('button', { name: /^Prettify query/ }).click();
  await inGraphiql.waitForEditor(page, '# Kept\nquery Short {\n  catalog {');
  await page.waitForFunction(() => localStorage.getItem('graphiql:variables')?.includes('"a": 1'));
  expect(loads()).toBe(1);
});

test('the workers check a query against the schema, and variables as JSON', async () => {
  await enterKey(keys.nordProfessional);
  await followLink('query Wrong { orders { nodes { nothingLikeThis } } }', '{"a":');
  await page.locator('.graphiql-query-editor .squiggly-error').first().waitFor();
  await page.locator('.graphiql-editor-tool .squiggly-error').first().waitFor();
});

test('the history survives a reload, without the key', async () => {
  await enterKey(keys.nordProfessional);
  await run('OrdersWithOffer');
  await expectInResult('"creditor"');
  await page.reload();
  await view('JSON').waitFor();
  await page.getByRole('button', { name: 'History' }).click();
  const dialog = page.getByRole('dialog', { name: 'History' });
  await dialog.getByRole('searchbox').fill('offerHdrId');
  await dialog.getByRole('button', { name: /^OrdersWithOffer/ }).click();
  await page.getByRole('tab', { name: 'OrdersWithOffer' }).nth(1).waitFor();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(keys.nordProfessional);
  await page.getByRole('button', { name: 'History' }).click();
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'History' }).click();
  await dialog.getByText('What you run is kept here').waitFor();
});

test('by keyboard only: an example is found and runs, its answer is shown as a table and a chart', async () => {
  await enterKey(keys.nordProfessional);
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
  await panel().locator('canvas').waitFor();
  await page.keyboard.press('End');
  await panel().getByLabel('Language').waitFor();
  await page.keyboard.press('Home');
  expect(await panel().isVisible()).toBe(false);
});

test('the Delete key closes a tab', async () => {
  await enterKey(keys.nordBasic);
  await openExample('OrdersWithOffer');
  await page.getByRole('tab', { name: 'OrdersWithOffer' }).focus();
  await page.keyboard.press('Delete');
  await page.getByRole('tab', { name: 'OrdersWithOffer' }).waitFor({ state: 'detached' });
});

test('nothing is loaded from other servers, and nothing violates the content security policy', () => {
  expect(foreign).toEqual([]);
  expect(complaints).toEqual([]);
});
