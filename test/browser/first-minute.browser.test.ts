/** The first minute with demo data: a demo key from a menu, and one click from the documentation to an answer. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { keys } from '../support/settings.ts';
import { appearances, expectClean } from './accessibility.ts';
import { expectText, showColors } from './graphiql-steps.ts';
import { pagesOfService } from './pages.ts';

const pages = pagesOfService({ demoKeys: [{ name: 'nord, enterprise', key: keys.nordEnterprise }] });
let page: Page;
beforeEach(async () => {
  page = await pages.newPage({ viewport: { width: 1280, height: 900 } });
});

const clean = (state: string) => expectClean(page, state, { given: appearances, picture: 'first-minute', showColors });

test('a measure of the dictionary leads to GraphiQL, and with a demo key its query has run', async () => {
  await page.goto('/docs/tables/tenants');
  await page.getByRole('link', { name: 'Run in GraphiQL: arrears', exact: true }).click();
  await page.getByText('Choose a demo key, or enter an API key.').waitFor();
  await page.getByRole('combobox', { name: 'Demo key' }).selectOption('nord, enterprise');
  await expectText(page, '.result-window', '"arrears"');
  expect(page.url()).toBe(`${pages.service.url}/graphql`);
  await clean('graphiql-demo');
});

test('a demo key of the documentation fills the samples, and a table of the dictionary has one click to its rows', async () => {
  await page.goto('/docs');
  await page.getByRole('combobox', { name: 'Demo key' }).selectOption('nord, enterprise');
  await page.getByText('Tier enterprise:').waitFor();
  await clean('docs-demo');
  await page.goto('/docs/tables/notifications');
  await page.getByRole('link', { name: 'Run in GraphiQL: notifications' }).first().click();
  await expectText(page, '.result-window', '"totalCount"');
});

test('the query of any other link does not run', async () => {
  await page.addInitScript((key) => sessionStorage.setItem('estate-api-key', key), keys.nordEnterprise);
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.postData() ?? '');
  });
  const introspection = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.goto(`/graphql#${new URLSearchParams({ query: '{ properties { totalCount } }' })}`);
  await (await introspection).finished();
  await page.getByText('Opened from a link. Read it before you run it.').waitFor();
  await page.locator('.graphiql-execute-button').waitFor();
  expect(posts.filter((body) => !body.includes('IntrospectionQuery'))).toEqual([]);
});

test('pictures of the search and of a table', async () => {
  await page.goto('/docs');
  await page.keyboard.press('/');
  await page.keyboard.type('arrears');
  await page.getByRole('option').first().waitFor();
  await clean('search');
  await page.goto('/docs/tables/tenants#measures');
  await page.getByRole('tab', { name: 'GraphQL' }).click();
  await clean('measures');
});
