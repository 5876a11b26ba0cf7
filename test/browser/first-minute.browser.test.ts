/** The first minute with demo data: a demo key from a menu, and one click from the documentation to an answer. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { appearances, violationsOf } from './accessibility.ts';
import { launchChromium, longestWaitMs, saveScreenshot } from './chromium.ts';
import { expectText, showColors } from './graphiql-steps.ts';

let service: TestService;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  const demoKeys = [{ name: 'nord, enterprise', key: keys.nordEnterprise }];
  [service, browser] = await Promise.all([startService({ demoKeys }), launchChromium()]);
});
afterAll(() => Promise.all([browser?.close(), service?.stop()]));
beforeEach(async () => {
  const context = await browser.newContext({ baseURL: service.url, viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  page = await context.newPage();
  page.setDefaultTimeout(longestWaitMs);
});
afterEach(() => page.context().close());

const expectClean = async (state: string): Promise<void> => {
  for (const [width, colorScheme] of appearances) {
    await page.setViewportSize({ width, height: 812 });
    await showColors(page, colorScheme);
    expect([state, width, colorScheme, await violationsOf(page)]).toEqual([state, width, colorScheme, []]);
    await saveScreenshot(page, `${state}-${width}-${colorScheme}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
};

test('a measure of the dictionary leads to GraphiQL, and with a demo key its query has run', async () => {
  await page.goto('/docs/tables/tenants');
  await page.getByRole('link', { name: 'Run in GraphiQL: arrears', exact: true }).click();
  await page.getByText('Choose a demo key, or enter an API key.').waitFor();
  await page.getByRole('combobox', { name: 'Demo key' }).selectOption('nord, enterprise');
  await expectText(page, '.result-window', '"arrears"');
  expect(page.url()).toBe(`${service.url}/graphql`);
  await expectClean('graphiql-demo');
});

test('a demo key of the documentation fills the samples, and a table of the dictionary has one click to its rows', async () => {
  await page.goto('/docs');
  await page.getByRole('combobox', { name: 'Demo key' }).selectOption('nord, enterprise');
  await page.getByText('Tier enterprise:').waitFor();
  await expectClean('docs-demo');
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
  await expectClean('search');
  await page.goto('/docs/tables/tenants#measures');
  await page.getByRole('tab', { name: 'GraphQL' }).click();
  await expectClean('measures');
});
