/** Examples of GraphiQL run once when they are chosen, in the view that they name. With a demo key, the page opens with an answer. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { keys } from '../support/settings.ts';
import { enterKey, execute, expectText, openExample, runExample, waitForEditor } from './graphiql-steps.ts';
import { pagesOfService } from './pages.ts';

const demoKey = 'nord, enterprise';
const { newPage } = pagesOfService({ demoKeys: [{ name: demoKey, key: keys.nordEnterprise }] });
let page: Page;
/** The names of the operations that the page has sent, without introspection. */
let sent: (string | undefined)[] = [];

beforeEach(async () => {
  page = await newPage({ viewport: { width: 1280, height: 900 } });
  sent = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    const { operationName } = request.postDataJSON();
    if (operationName !== 'IntrospectionQuery') sent.push(operationName);
  });
});

const panel = () => page.locator('#answer-panel');
const chosenView = () => page.getByRole('tablist', { name: 'Answer' }).getByRole('tab', { selected: true }).textContent();
const useDemoKey = () => page.getByRole('combobox', { name: 'Demo key' }).selectOption(demoKey);

/** Runs the current operation. A run of the page itself would have been sent before its answer. */
const runByHand = async (): Promise<void> => {
  const answered = page.waitForResponse((response) => /"operationName":"(?!Introspection)/.test(response.request().postData() ?? ''));
  await execute(page);
  await (await answered).finished();
};

/** Waits for the schema of the page that `load` opens. */
const withSchema = async (load: () => Promise<unknown>): Promise<void> => {
  const introspection = page.waitForResponse((response) => response.request().method() === 'POST');
  await load();
  await (await introspection).finished();
};

test('a chosen example runs once under its own name, in the view that it names', async () => {
  await page.goto('/graphql');
  await enterKey(page, keys.nordProfessional);
  await runExample(page, 'OrdersWithOffer');
  await panel().getByRole('table').waitFor();
  expect(await chosenView()).toBe('Table');
  await runExample(page, 'VacancyByMonth');
  expect(await chosenView()).toBe('Table');
  await openExample(page, 'OrderPages');
  await expectText(page, '.result-window', '"endCursor"');
  expect(await chosenView()).toBe('JSON');
  await runExample(page, 'OrdersWithOffer');
  expect(await chosenView()).toBe('Table');
  await runByHand();
  expect(sent).toEqual(['OrdersWithOffer', 'VacancyByMonth', 'OrderPages', 'OrdersWithOffer', 'OrdersWithOffer']);
});

test('neither a reload nor another tab runs an example again', async () => {
  await page.goto('/graphql');
  await enterKey(page, keys.nordProfessional);
  await runExample(page, 'OrdersWithOffer');
  await runExample(page, 'DearestTrades');
  await page.getByRole('tab', { name: 'OrdersWithOffer' }).click();
  await panel().getByRole('columnheader', { name: 'orderDate' }).waitFor();
  await waitForEditor(page, 'query OrdersWithOffer');
  await withSchema(() => page.reload());
  await panel().getByText('Run a query to see its answer here.').waitFor();
  await runByHand();
  expect(sent).toEqual(['OrdersWithOffer', 'DearestTrades', 'OrdersWithOffer']);
});

test('a text that the reader changes before there is a schema does not run', async () => {
  await page.goto('/graphql');
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (route.request().method() === 'POST') await released;
    await route.continue();
  });
  await page.getByLabel('API key').fill(keys.nordProfessional);
  await page.getByRole('button', { name: 'Use key' }).click();
  await openExample(page, 'OrdersWithOffer');
  await page.locator('.graphiql-query-editor .view-line').first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('# Mine ');
  await waitForEditor(page, '# Mine ');
  await withSchema(async () => release());
  await runByHand();
  expect(sent).toEqual(['OrdersWithOffer']);
});

test('on a phone, the answer of a chosen example is on the screen', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/graphql');
  await enterKey(page, keys.nordProfessional);
  await runExample(page, 'OrdersWithOffer');
  const { top, bottom } = await panel().evaluate((element) => element.getBoundingClientRect().toJSON());
  expect([top >= 0, Math.floor(bottom) <= 844]).toEqual([true, true]);
});

test('without a key, a chosen example does not run, and the page says what is missing', async () => {
  await page.goto('/graphql');
  await openExample(page, 'OrdersWithOffer');
  await panel().getByText('Choose a demo key above, or enter an API key.').waitFor();
  expect(sent).toEqual([]);
  await enterKey(page, keys.nordProfessional);
  await waitForEditor(page, 'query OrdersWithOffer');
  await runByHand();
  expect(sent).toEqual(['OrdersWithOffer']);
});

test('an example that the key may not ask shows the reason in its view', async () => {
  await page.goto('/graphql');
  await enterKey(page, keys.nordBasic);
  await openExample(page, 'OrdersWithOffer');
  await panel().getByText('Cannot query field "orders" on type "Query"').waitFor();
  expect(sent).toEqual(['OrdersWithOffer']);
});

test('with a demo key, the first example has run in its view; a reload keeps the view of the reader', async () => {
  await page.goto('/graphql');
  await page.getByText('Choose a demo key, or enter an API key.').waitFor();
  await useDemoKey();
  await panel().getByRole('table').waitFor();
  expect(sent).toEqual(['PropertyUnits']);
  await page.getByRole('tab', { name: 'JSON', exact: true }).click();
  await page.reload();
  await expectText(page, '.result-window', '"floorAreas"');
  expect(sent).toEqual(['PropertyUnits', 'PropertyUnits']);
});

test('the query of a link stays until there is a key, and does not run with a demo key', async () => {
  await page.goto(`/graphql#${new URLSearchParams({ query: 'query Linked { properties { totalCount } }' })}`);
  await page.getByText('Opened from a link. Read it before you run it.').waitFor();
  await withSchema(useDemoKey);
  await page.getByText('Opened from a link. Read it before you run it.').waitFor();
  await expectText(page, '.graphiql-query-editor', 'Linked');
  await runByHand();
  expect(sent).toEqual(['Linked']);
});

test('an example of the documentation opens in its view', async () => {
  await page.addInitScript((key) => sessionStorage.setItem('estate-api-key', key), keys.nordEnterprise);
  await page.goto('/docs/analysts');
  await page.getByRole('link', { name: 'Run in GraphiQL: How does the contracted rent develop' }).click();
  await panel().getByRole('table').waitFor();
  expect(sent).toEqual(['ContractedRentByMonth']);
});
