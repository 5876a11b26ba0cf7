/** The operator view in a browser: from the sign-in to the rows of a customer, without a key (contract: operator view). */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { password } from '../portal/operator.ts';
import { keys } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';
import { expectClean, violationsOf } from './accessibility.ts';
import { pagesOfService } from './pages.ts';

const view = '/portal/customers/nord/explore';
const pages = pagesOfService({ environment: { PORTAL_PASSWORD: password } }, { mayBeRefused: true });
let page: Page;

/** A page whose tab holds a key of another customer, which the view must not send. */
const newPage = async (locale = 'en'): Promise<void> => {
  page = await pages.newPage({ locale, key: keys.suedEnterprise });
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!/^\/(?:portal|assets)(?:\/|$)/.test(pathname)) pages.complaints.push(`asked ${request.url()}`);
    if ('x-api-key' in request.headers()) pages.complaints.push(`sent a key to ${request.url()}`);
  });
};

const signIn = async (label = 'Operator password', action = 'Sign in'): Promise<void> => {
  await page.getByLabel(label).fill(password);
  await page.getByRole('button', { name: action }).click();
};
const button = (name: string) => page.getByRole('button', { name, exact: true });
const openTable = (label: string) =>
  page
    .locator('a.card')
    .filter({ has: page.getByText(label, { exact: true }) })
    .click();
/** Waits until nothing is read any more. */
const whenRead = async (): Promise<void> => {
  await page.locator('.cards-list, .grid tbody tr, .row-values').first().waitFor();
  await expect.poll(() => page.locator('.skeleton, [aria-busy=true]').count()).toBe(0);
};
const expectTotal = (count: number, noun: string) =>
  page
    .locator('.view-head')
    .getByText(`${count.toLocaleString('en-GB')} ${noun}`, { exact: true })
    .waitFor();
const sql = (text: string) => sqlOn(pages.service)(text);

test('from the sign-in over the customer to rows, one row and figures', async () => {
  await newPage();
  await page.goto('/portal/customers/nord');
  await signIn();
  await page.getByRole('link', { name: 'Explore its rows' }).click();
  const banner = page.getByText('Operator view of Nord', { exact: false });
  await banner.waitFor();
  await openTable('Orders');
  const [{ n }] = await sql('select count(*)::int as n from customer_nord.orders');
  await expectTotal(n, 'rows');
  await whenRead();
  expect(await page.locator('.grid tbody tr').count()).toBe(Math.min(n, 100));
  await page.locator('.grid tbody tr a').first().click();
  await page.getByRole('heading', { name: 'All columns' }).waitFor();
  await page.goBack();
  await expectTotal(n, 'rows');
  await button('Summarize').click();
  await expectTotal(1, 'group');
  await banner.waitFor();

  await button('Share and export').click();
  await page.getByText('need a key of the customer', { exact: false }).waitFor();
  expect(await page.getByText('Download CSV').count()).toBe(0);
  expect(await page.locator('.take-away code, .take-away pre').count()).toBe(0);
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Log', exact: true }).click();
  for (const text of ['opened view', 'orders of nord']) await page.getByRole('cell', { name: text, exact: true }).first().waitFor();
});

test('when the session ends, the page says so, and a sign-in leads back', async () => {
  await newPage();
  await page.goto(view);
  await signIn();
  await openTable('Orders');
  await whenRead();
  const other = await page.context().newPage();
  await other.goto('/portal');
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.waitForURL('**/portal/sign-in');
  await button('Next').click();
  await page.getByRole('alert').getByText('Your session in the portal has ended.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  // After a sign-in in another tab, the page goes on where it was.
  await other.getByLabel('Operator password').fill(password);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.waitForURL('**/portal');
  await button('Try again').click();
  await page.getByText('101–', { exact: false }).waitFor();
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.waitForURL('**/portal/sign-in');
  await button('Previous').click();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await signIn();
  await page.waitForURL(`**${view}`);
  await page.getByText('Operator view of', { exact: false }).waitFor();
});

test('the view is in German, too, and a choice there is one of all pages of the portal', async () => {
  await newPage('de');
  await page.goto(view);
  await signIn('Passwort des Betreibers', 'Anmelden');
  await page.getByText('Ansicht des Betreibers auf', { exact: false }).waitFor();
  await openTable('Aufträge');
  await button('Teilen und exportieren').click();
  await page.getByText('brauchen einen Schlüssel des Kunden', { exact: false }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Kunden', exact: true }).waitFor();
  await page.locator('.explore-head select').selectOption('en');
  await page.getByRole('link', { name: 'Customers', exact: true }).waitFor();
  await page.goto('/portal');
  await button('Sign out').waitFor();
  await button('Deutsch').click();
  await button('Abmelden').waitFor();
  await page.goto(view);
  await page.getByText('Ansicht des Betreibers auf', { exact: false }).waitFor();
});

// The states of Explore itself are tested with a key.
test.each([
  ['start', ''],
  ['rows', '#/operations/orders'],
])('axe finds nothing and all fits: %s', async (state, fragment) => {
  await newPage();
  await page.goto('/portal');
  await signIn();
  await page.waitForURL('**/portal');
  await page.goto(`${view}${fragment}`);
  await whenRead();
  await expectClean(page, state, { picture: 'operator-view' });
});
