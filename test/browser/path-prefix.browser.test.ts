/** The pages behind a path prefix of a real proxy: they load all their files and their data from below the prefix (contract: public URL). */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { password } from '../portal/operator.ts';
import { prefixingProxies, startPrefixed } from '../support/path-prefix.ts';
import { keys } from '../support/settings.ts';
import * as inGraphiql from './graphiql-steps.ts';
import { pagesOf } from './pages.ts';

const demoKeys = [{ name: 'nord, enterprise', key: keys.nordEnterprise }];

// A page cannot see which proxy removes the prefix, so one is enough. Programs are tested behind both.
describe.each(prefixingProxies.slice(0, 1))('behind %s (skipped only if it is not installed)', (name) => {
  const pages = pagesOf(() => startPrefixed(name, { demoKeys }));
  const { complaints } = pages;
  let page: Page;
  /** Paths of answers. */
  let answered: string[];

  beforeEach(async () => {
    answered = [];
    const prefixed = pages.service;
    page = await pages.newPage({ viewport: { width: 1400, height: 900 } });
    page.on('requestfailed', (request) => {
      // A page that is left aborts what it still reads.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed ${request.url()}`);
    });
    page.on('response', (response) => {
      const address = response.url();
      if (!/^https?:/.test(address)) return;
      if (response.status() >= 400 || !address.startsWith(`${prefixed.url}/`)) complaints.push(`${response.status()} ${address}`);
      answered.push(address.slice(prefixed.url.length));
    });
  });
  afterEach(async () => {
    const paths = await page.locator('a[href^="/"]').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    complaints.push(...paths.filter((path) => !path.startsWith('/estate')).map((path) => `outside the prefix: ${path}`));
  });

  const open = async (path: string, key = keys.nordEnterprise) => {
    await page.addInitScript((text) => sessionStorage.setItem('estate-api-key', text), key);
    await page.goto(`${pages.service.url}${path}`);
  };
  const button = (label: string) => page.getByRole('button', { name: label, exact: true });
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  test('Explore shows rows with the key, and its addresses lead to the service', async () => {
    await page.goto(`${pages.service.url}/explore`);
    await page.getByLabel('API key').fill(keys.nordEnterprise);
    await button('Use key').click();
    await page
      .locator('a.card')
      .filter({ has: page.getByText('Tenants', { exact: true }) })
      .click();
    await page.locator('.grid tbody tr').first().waitFor();
    expect(answered).toContain('/docs/demo-keys');
    await button('Share and export').click();
    await page.locator('code.address').first().waitFor();
    const address = (await page.locator('code.address').first().textContent()) ?? '';
    expect(address).toContain(`${pages.service.url}/stakeholder/tenants?`);
    expect((await fetch(address, { headers: { 'X-API-Key': keys.nordEnterprise } })).status).toBe(200);
    const file = page.locator('a.address');
    expect(await file.getAttribute('href')).toBe(`${pages.service.url}/files/tenants/latest.parquet`);
    await page.getByRole('link', { name: 'Open in GraphiQL' }).click();
    await page.waitForURL(`${pages.service.url}/graphql`);
    await inGraphiql.expectText(page, '.graphiql-query-editor .view-lines', 'tenants');
  });

  test('GraphiQL runs a query, with its editor, its workers and its REST requests', async () => {
    await page.goto(`${pages.service.url}/graphql`);
    await inGraphiql.enterKey(page, keys.nordEnterprise);
    await inGraphiql.openExample(page, 'OpenOrdersPerCreditor');
    await inGraphiql.execute(page);
    await page.getByRole('tab', { name: 'REST', exact: true }).click();
    await page.locator('#answer-panel pre').first().waitFor();
    expect(await page.locator('#answer-panel pre').first().textContent()).toContain(`'${pages.service.url}/operations/orders`);
    const inExplore = page.locator('#answer-panel').getByRole('link', { name: 'Open in Explore' });
    expect(await inExplore.getAttribute('href')).toMatch(/^\/estate\/explore#\/operations\/orders\/groups\?/);
    await page.getByRole('tab', { name: 'Code', exact: true }).click();
    await page.locator('#answer-panel pre').getByText(`${pages.service.url}/graphql`).waitFor();
    await button('Copy link').click();
    expect(await clipboard()).toContain(`${pages.service.url}/graphql#query=`);
    expect(answered.filter((path) => /-worker\.js$/.test(path)).length).toBeGreaterThan(0);
  });

  test('the documentation finds pages, shows data of the key, and runs its queries', async () => {
    await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('total_net');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${pages.service.url}/docs/**`);
    await page.goto(`${pages.service.url}/docs/tables/orders`);
    await page.locator('[data-state-of]').first().waitFor();
    expect(answered).toContain('/me');
    await page.goto(`${pages.service.url}/docs/graphql`);
    await page
      .getByRole('link', { name: /^Run in GraphiQL/ })
      .first()
      .click();
    // A query of the documentation runs without a click.
    await inGraphiql.expectText(page, '.graphiql-response', '"data"');
  });

  test('an endpoint of the reference is tried in Explore, and another one by its command', async () => {
    await open('/docs/reference');
    await page.getByRole('searchbox', { name: 'Search endpoints and columns' }).fill('/catalog');
    await page.locator('summary', { has: page.getByText('/catalog', { exact: true }) }).click();
    const command = (await page.locator('details[open] pre').first().textContent()) ?? '';
    expect(command).toContain(`'${pages.service.url}/catalog'`);
    await page.getByRole('searchbox', { name: 'Search endpoints and columns' }).fill('/operations/orders');
    await page.locator('summary', { has: page.getByText('/operations/orders', { exact: true }) }).click();
    await page.getByRole('link', { name: 'Try it in Explore: /operations/orders', exact: true }).click();
    await page.locator('.grid tbody tr').first().waitFor();
    expect(page.url()).toBe(`${pages.service.url}/explore#/operations/orders`);
  });

  test('an operator views the rows of a customer', async () => {
    await page.goto(`${pages.service.url}/portal/customers/nord`);
    await page.getByLabel('Operator password').fill(password);
    await button('Sign in').click();
    await page.getByRole('link', { name: 'Explore its rows' }).click();
    await page
      .locator('a.card')
      .filter({ has: page.getByText('Orders', { exact: true }) })
      .click();
    await page.locator('.grid tbody tr a').first().waitFor();
    await button('Share and export').click();
    await page.getByRole('link', { name: 'Create a key' }).waitFor();
    expect(answered.filter((path) => path.startsWith('/portal/customers/nord/rest/'))).not.toEqual([]);
  });

  test('an operator signs in to the portal, and out', async () => {
    await page.goto(`${pages.service.url}/portal/keys`);
    await page.getByLabel('Operator password').fill(password);
    await button('Sign in').click();
    await page.waitForURL(`${pages.service.url}/portal/keys`);
    const cookies = await page.context().cookies(`${pages.service.url}/portal`);
    expect(cookies.map(({ path }) => path)).toEqual(['/estate/portal']);
    for (const label of ['Customers', 'Usage', 'Log', 'Overview']) await page.getByRole('link', { name: label, exact: true }).click();
    await button('Sign out').click();
    await page.waitForURL(`${pages.service.url}/portal/sign-in`);
  });
});
