/** The states of GraphiQL, on a desktop and a phone, in light and dark: axe finds nothing, and the page is not wider than the screen. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { QuestionStore } from '../../src/access/questions.ts';
import { keys } from '../support/settings.ts';
import { expectClean as expectCleanPage } from './accessibility.ts';
import { enterKey, execute, graphiqlRules, openExample, runExample, showColors } from './graphiql-steps.ts';
import { pagesOfService } from './pages.ts';

const pages = pagesOfService({ demoKeys: [{ name: 'nord, basic', key: keys.nordBasic }] }, graphiqlRules);
let page: Page;

beforeAll(async () => {
  const document = '# Which properties are there?\nquery AllProperties { properties { nodes { propertyId } } }';
  await new QuestionStore(pages.service.database).add({ name: 'properties', document }, undefined);
});

const openWithoutKey = async (): Promise<void> => {
  page = await pages.newPage({ viewport: { width: 1280, height: 812 } });
  await page.goto('/graphql');
  await page.getByText('Choose a demo key, or enter an API key.').waitFor();
};

/** The tab with a key and an answer, which several tests look at. */
const openWithAnswer = async (): Promise<void> => {
  page = await pages.keptPage('answer', async () => {
    page = await pages.newPage({ viewport: { width: 1280, height: 812 }, key: keys.nordEnterprise });
    await page.goto('/graphql');
    await runExample(page, 'OrdersWithOffer');
    return page;
  });
};

const panel = () => page.locator('#answer-panel');
const plugin = () => page.locator('.graphiql-plugin');
const view = (name: string) => page.getByRole('tab', { name, exact: true });

const expectClean = (state: string, exception?: string): Promise<void> =>
  expectCleanPage(page, state, { showColors, ...(exception && { exception }) });

test('without a key: before and after an example is chosen', async () => {
  await openWithoutKey();
  await expectClean('start');
  await openExample(page, 'OrdersWithOffer');
  await panel().getByText('Choose a demo key above').waitFor();
  await expectClean('no-key');
});

test('errors: a wrong key, and a query that the key may not ask', async () => {
  await openWithoutKey();
  await enterKey(page, 'est_nobody_wrong');
  await page.getByText('This API key is not valid.').first().waitFor();
  await execute(page);
  await expectClean('wrong-key');
  await enterKey(page, keys.nordBasic);
  await openExample(page, 'OrdersWithOffer');
  await panel().getByText('Cannot query field').waitFor();
  await expectClean('refused-query');
});

test('each view of an answer', async () => {
  await openWithAnswer();
  for (const [name, shown] of Object.entries({ Table: 'table', REST: 'pre', Code: 'pre' })) {
    await view(name).click();
    await panel().locator(shown).first().waitFor();
    await expectClean(name.toLowerCase());
  }
  await view('JSON').click();
  await page.locator('.result-window .view-line').first().waitFor();
  await expectClean('json');
  await openExample(page, 'DearestTrades');
  await view('REST').click();
  await panel().getByText('REST has no first groups of each coarser key.').waitFor();
  await expectClean('rest-notes');
});

test('each dialog', async () => {
  await openWithAnswer();
  for (const [button, dialog] of [
    ['Examples', 'Examples'],
    ['Questions', 'Questions'],
    ['Open short keys dialog', 'Short Keys'],
    ['Open settings dialog', 'Settings'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('dialog', { name: dialog }).waitFor();
    await expectClean(dialog.toLowerCase().replace(' ', '-'));
    if (dialog === 'Examples') {
      await page.getByRole('searchbox').fill('Zebrastreifen');
      await page.getByText('Nothing has these words.').waitFor();
      await expectClean('no-examples');
      // In a search with text, the first press of Escape clears the text.
      await page.getByRole('searchbox').fill('');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});

test('each plugin: the documentation of a type, a field and a search; the explorer with fields and arguments', async () => {
  await openWithAnswer();
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await page.locator('.graphiql-doc-explorer-type-name').first().waitFor();
  await expectClean('docs');
  await plugin().getByRole('link', { name: 'Query', exact: true }).click();
  await plugin().getByRole('link', { name: 'orders', exact: true }).waitFor();
  await expectClean('docs-type');
  await plugin().getByRole('combobox').fill('arrears');
  await plugin().getByRole('option').first().waitFor();
  // While its list is open, the library hides the rest of the page from screen readers, with the heading.
  await expectClean('docs-search', 'page-has-heading-one');
  await page.keyboard.press('Escape');
  await plugin().getByRole('link', { name: 'orders', exact: true }).click();
  await plugin().locator('.graphiql-doc-explorer-argument-name').first().waitFor();
  await expectClean('docs-field');
  await page.getByRole('button', { name: 'Show History' }).click();
  await plugin().getByRole('button', { name: 'OrdersWithOffer' }).first().waitFor();
  await expectClean('history');
  await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).click();
  await plugin().getByText('orders', { exact: true }).first().waitFor();
  await expectClean('explorer');
  const hidden = await plugin()
    .getByLabel('first', { exact: true })
    .first()
    .evaluate((field) => field.scrollWidth - field.clientWidth);
  expect(hidden).toBe(0);
});
