/** Tasks of an operator in the portal, in a browser. */
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeHash } from '../../src/access/password.ts';
import { password } from '../portal/operator.ts';
import { startServiceOn, type TestService } from '../support/service.ts';
import { type Appearance, expectClean, violationsOf } from './accessibility.ts';
import { saveScreenshot } from './chromium.ts';
import { addMonthOfUsage } from './month-of-usage.ts';
import { pagesOfService } from './pages.ts';

const pages = pagesOfService({ environment: { PORTAL_PASSWORD: password, RATE_LIMIT: '500' } }, { mayBeRefused: true });
const { newPage } = pages;
let service: TestService;
beforeAll(() => {
  service = pages.service;
});

const signIn = async (page: Page): Promise<Page> => {
  await page.goto('/portal');
  await page.getByLabel('Operator password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/portal');
  return page;
};

const createKey = async (page: Page, name: string): Promise<string> => {
  await page.goto('/portal/keys/new');
  await page.locator('select[name=customer]').selectOption('nord');
  await page.locator('input[name=name]').fill(name);
  await page.locator('select[name=tier]').selectOption('professional');
  await page.getByRole('button', { name: 'Create key' }).click();
  return (await page.locator('#key-text').textContent()) ?? '';
};

const idOf = (key: string): string => key.split('_')[1] ?? '';
const statusOf = async (key: string): Promise<number> => (await service.get('/operations/orders?limit=1', { key })).status;
const untilRefused = async (key: string): Promise<number> => {
  const start = Date.now();
  await vi.waitFor(async () => expect(await statusOf(key)).toBe(401), { timeout: 60_000, interval: 100 });
  return Date.now() - start;
};

test('sign in, create a key, use it, rotate it, see the old one expire on time, revoke the new one', async () => {
  const page = await signIn(await newPage());
  await page.getByRole('link', { name: 'Create a key' }).click();
  const key = await createKey(page, 'Journey');
  expect(await statusOf(key)).toBe(200);
  await page.getByRole('button', { name: 'Copy key' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);

  await page.getByRole('link', { name: 'I have saved the key' }).click();
  await page.getByRole('link', { name: 'Rotate…' }).click();
  await page.getByLabel('The old key lives on for').selectOption('1');
  await page.getByRole('button', { name: 'Rotate key' }).click();
  const successor = (await page.locator('#key-text').textContent()) ?? '';
  expect(await Promise.all([statusOf(key), statusOf(successor)])).toEqual([200, 200]);

  // The end is moved from an hour ahead to the present.
  const end = Date.now() + 2_500;
  await service.database.pool.query('update estate.api_keys set expires_at = $2 where id = $1', [idOf(key), new Date(end)]);
  expect(await statusOf(key)).toBe(200);
  await untilRefused(key);
  expect(Date.now()).toBeGreaterThanOrEqual(end);
  await page.goto(`/portal/keys/${idOf(key)}`);
  await page.locator('.pill', { hasText: 'expired' }).waitFor();

  await page.goto(`/portal/keys/${idOf(successor)}`);
  await page.getByRole('link', { name: 'Revoke…' }).click();
  await page.getByRole('button', { name: 'Revoke for good' }).click();
  await page.getByText('The key is revoked.').waitFor();
  expect(await untilRefused(successor)).toBeLessThan(5_000);
});

test('a second view of the page does not contain the key, and a reload creates no other key', async () => {
  const page = await signIn(await newPage());
  const key = await createKey(page, 'Seen once');
  expect(page.url()).not.toContain(key);
  await page.reload();
  await page.getByText('This form was sent before').waitFor();
  expect(await page.content()).not.toContain(key);
  await page.goBack();
  expect(await page.content()).not.toContain(key);
  const { rows } = await service.database.pool.query("select id from estate.api_keys where name = 'Seen once'");
  expect(rows).toEqual([{ id: idOf(key) }]);
});

test('a wrong password says so, and nothing else', async () => {
  const page = await newPage();
  await page.goto('/portal/customers');
  await page.getByLabel('Operator password').fill('open sesame');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('That is not the password.').waitFor();
  expect(await page.locator('nav').count()).toBe(0);
});

test('a form with a forged or expired token changes nothing', async () => {
  const page = await signIn(await newPage());
  const key = await createKey(page, 'Forgery');
  for (const forge of ['element.value = "A".repeat(43)', 'element.remove()']) {
    await page.goto(`/portal/keys/${idOf(key)}/revoke`);
    await page.locator('main input[name=token]').evaluate((element, script) => new Function('element', script)(element), forge);
    await page.getByRole('button', { name: 'Revoke for good' }).click();
    await page.getByText('This form is not valid any more').waitFor();
  }
  expect(await statusOf(key)).toBe(200);
});

test('a customer with the name <script> is shown as text', async () => {
  const page = await signIn(await newPage());
  await page.goto('/portal/customers?add=yes');
  const name = `<script>alert('x')</script>`;
  await page.locator('input[name=name]').fill(name);
  await page.getByLabel('Slug').fill('script');
  await page.getByRole('button', { name: 'Add customer' }).click();
  await page.getByRole('heading', { name }).waitFor();
  for (const path of ['/portal', '/portal/customers', '/portal/keys/new?customer=script']) {
    await page.goto(path);
    expect(await page.locator('main').textContent()).toContain(name);
    expect(await page.locator('main script').count()).toBe(0);
  }
  await service.database.control.deleteFrom('customers').where('slug', '=', 'script').execute();
});

test.each([true, false])('properties are found, added and read, with the keyboard; with JavaScript: %s', async (javaScriptEnabled) => {
  const page = await signIn(await newPage({ javaScriptEnabled }));
  await page.goto('/portal/keys/new?customer=nord');
  await page.locator('input[name=name]').fill('Found');
  await page.locator('summary', { hasText: 'Classes and properties' }).click();
  await page.getByLabel('Name, address or id').fill('1002');
  await page.keyboard.press('Enter');
  await page.getByText('1 property matches').waitFor();
  expect(await page.locator('select[name=data]').inputValue()).toBe('limited');
  await page.locator('input[name=pick][value="1002"]').check();
  await page.getByRole('button', { name: 'Add the checked ones' }).click();
  await page.locator('.pill', { hasText: 'chosen' }).waitFor();
  expect(await page.getByLabel('Property ids').inputValue()).toBe('1002');
  await page.getByLabel('Name, address or id').fill('');
  await page.locator('input[name=name]').press('Enter');
  const key = (await page.locator('#key-text').textContent()) ?? '';
  const { scope } = (await service.get('/me', { key })).json;
  expect(scope).toEqual({ properties: { ids: [1002] } });
});

test('everything works without JavaScript', async () => {
  const page = await signIn(await newPage({ javaScriptEnabled: false }));
  const key = await createKey(page, 'No script');
  expect(await statusOf(key)).toBe(200);
  expect(await page.getByRole('button', { name: 'Copy key' }).count()).toBe(0);
  await page.goto('/portal/keys?ended=yes');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.goto(`/portal/keys/${idOf(key)}`);
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.locator('.pill', { hasText: 'disabled' }).waitFor();
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.locator('.pill', { hasText: 'active' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('a filter is applied when it is selected', async () => {
  const page = await signIn(await newPage());
  await page.goto('/portal/keys');
  await page.getByLabel('Customer').selectOption('sued');
  await page.waitForURL('**/portal/keys?customer=sued');
  expect(await page.locator('tbody tr').count()).toBe(1);
});

test('by keyboard only: a customer is suspended, resumed, and removed by typing its slug', async () => {
  const page = await signIn(await newPage());
  await page.goto('/portal/customers');
  await page.getByText('Add a customer').focus();
  await page.keyboard.press('Enter');
  await page.locator('input[name=name]').fill('Kurz GmbH');
  await page.getByLabel('Slug').fill('kurz');
  await page.keyboard.press('Enter');
  await page.getByText('The customer is added').waitFor();
  for (const [button, notice] of [
    ['Suspend', 'The customer is suspended.'],
    ['Resume', 'are let in again'],
  ] as const) {
    await page.getByText('Suspend or remove').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: button }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(notice).waitFor();
  }
  await page.goto('/portal/customers/kurz/remove');
  await page.getByLabel('Slug').fill('nord');
  await page.keyboard.press('Enter');
  await page.getByText('That is not kurz.').waitFor();
  await page.getByLabel('Slug').fill('kurz');
  await page.keyboard.press('Enter');
  await page.getByText('The customer is removed').waitFor();
});

test('a chart shows the value of a bar at the pointer, by the arrow keys, and without a script', async () => {
  const page = await signIn(await newPage());
  await page.goto('/portal/usage?span=24h');
  const chart = page.getByRole('slider', { name: /^Requests by hour/ });
  const readout = page.locator('.readout');
  expect(await readout.isVisible()).toBe(false);
  const { x, y, width, height } = (await chart.boundingBox())!;
  await page.mouse.move(x + width / 48, y + height / 2);
  const first = await readout.textContent();
  expect(first).toMatch(/^\d\d-\d\d \d\d:00 UTC: [\d,]+/);
  await page.mouse.move(0, 0);
  expect(await readout.isVisible()).toBe(false);
  await chart.focus();
  await page.keyboard.press('Home');
  expect([await readout.textContent(), await chart.getAttribute('aria-valuetext')]).toEqual([first, first]);
  await page.keyboard.press('ArrowRight');
  expect(await chart.getAttribute('aria-valuenow')).toBe('2');
  expect(await readout.textContent()).not.toBe(first);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  expect(await chart.getAttribute('aria-valuenow')).toBe('24');

  const plain = await signIn(await newPage({ javaScriptEnabled: false }));
  await plain.goto('/portal/usage?span=24h');
  expect(await plain.locator('.plot title').first().textContent()).toBe(first);
});

test('named operators sign in, on pages without axe violations', async () => {
  const PORTAL_OPERATORS = `anna:${writeHash('annas own password')}`;
  const named = await startServiceOn({ ...service.database, close: async () => {} }, { environment: { PORTAL_OPERATORS } });
  const page = await newPage({ baseURL: named.url });
  await page.goto('/portal');
  await page.getByLabel('Name').fill('anna');
  await page.getByLabel('Password').fill('not hers');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('That is not the name and the password of an operator.').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel('Password').fill('annas own password');
  await page.keyboard.press('Enter');
  await page.getByTitle('Signed in as anna').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await named.stop();
});

const sizes = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } } as const;

const views = {
  overview: '/portal',
  customers: '/portal/customers',
  customer: '/portal/customers/nord',
  'customer-data': '/portal/customers/nord/data',
  'remove-customer': '/portal/customers/nord/remove',
  keys: '/portal/keys',
  key: '/portal/keys/nordprofessional',
  'new-key': '/portal/keys/new',
  rotate: '/portal/keys/nordprofessional/rotate',
  revoke: '/portal/keys/nordprofessional/revoke',
  usage: '/portal/usage',
  log: '/portal/log',
  front: '/',
} as const;

const seen: readonly Appearance[] = [
  [sizes.desktop.width, 'light'],
  [sizes.phone.width, 'dark'],
];

/** One screenshot for a desktop in light mode and one for a phone in dark mode; all four for the most visited pages. */
const isKept = (view: string, size: string, colorScheme: string): boolean =>
  ['overview', 'keys'].includes(view) || (size === 'desktop') === (colorScheme === 'light');

/** Pages may be longer than a screen, but not wider. */
const expectToFit = async (page: Page, view: string): Promise<void> => {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect([view, excess]).toEqual([view, 0]);
};

test('a name of 200 characters hides no column of a table, and its own page shows it completely', async () => {
  const page = await signIn(await newPage({ viewport: sizes.desktop }));
  const names = ['W'.repeat(200), 'Wohnungsbaugenossenschaft '.repeat(8).slice(0, 200).trim()];
  const { pool } = service.database;
  for (const [index, name] of names.entries()) {
    await page.goto('/portal/customers?add=yes');
    await page.locator('input[name=name]').fill(name);
    await page.getByLabel('Slug').fill(`long-${index}`);
    await page.getByRole('button', { name: 'Add customer' }).click();
    await page.getByRole('heading', { name }).waitFor();
    await expectToFit(page, 'customer');
    await pool.query(
      `insert into estate.api_keys (id, customer_id, lineage, name, tier, groups, hash)
       select $1, id, $1, $2, 'basic', '{rest}', sha256('') from estate.customers where slug = $3`,
      [`long${index}`, name, `long-${index}`],
    );
    await pool.query("insert into estate.usage values ($1, date_trunc('hour', now()), 490, 1, 1, 1, 70, now())", [`long${index}`]);
  }
  for (const path of ['/portal', '/portal/customers', '/portal/customers/long-0', '/portal/keys', '/portal/usage', '/portal/keys/new']) {
    await page.goto(path);
    const hidden = await page.locator('.scroll').evaluateAll((tables) => tables.map((table) => table.scrollWidth - table.clientWidth));
    expect([path, hidden.filter((pixels) => pixels > 0)]).toEqual([path, []]);
    await page.setViewportSize({ width: 375, height: 812 });
    await expectToFit(page, path);
    await page.setViewportSize(sizes.desktop);
  }
  await pool.query("delete from estate.customers where slug like 'long-%'");
  for (const index of names.keys()) await pool.query(`drop schema customer_long_${index} cascade`);
});

describe('every page', () => {
  beforeAll(() => addMonthOfUsage(service.database, ['nordprofessional', 'nordenterprise', 'suedenterprise']));
  // Data of other tests must not appear in screenshots.
  beforeEach(() => service.database.pool.query("delete from estate.api_keys where name <> 'demo'"));

  let page: Page;
  const openKept = async () => {
    page = await pages.keptPage('operator', async () => signIn(await newPage({ viewport: sizes.desktop })));
  };
  const shoot = async (view: string) => {
    for (const [size, viewport] of Object.entries(sizes))
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await expectToFit(page, `${view} ${size}`);
        if (isKept(view, size, colorScheme)) await saveScreenshot(page, `portal-${view}-${size}-${colorScheme}`);
      }
  };
  /** Axe finds nothing and all fits, on a desktop and a phone, in light and in dark. */
  const clean = (view: string) => expectClean(page, view, { given: seen });

  test('of the sign-in is clean, also after a wrong password', async () => {
    page = await newPage({ viewport: sizes.desktop });
    await page.goto('/portal');
    await shoot('sign-in');
    await clean('sign-in');
    await page.getByLabel('Operator password').fill('a wrong one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await clean('refused sign-in');
  });

  test.each(Object.entries(views))('is clean: %s', async (view, path) => {
    await openKept();
    await page.goto(path);
    await shoot(view);
    for (const summary of await page.locator('summary').all()) await summary.click();
    await clean(view);
  });

  test('of a new key and its successor is clean', async () => {
    await openKept();
    const key = await createKey(page, 'Reporting');
    await shoot('issued');
    await clean('issued');
    await page.goto(`/portal/keys/${idOf(key)}/rotate`);
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.goto(`/portal/keys/${idOf(key)}`);
    await page.getByText('This key has been rotated.').waitFor();
    await clean('rotated');
  });

  test('without results, with a refused form, and of an unknown address is clean', async () => {
    await openKept();
    await page.goto('/portal/keys?q=nobody');
    await clean('nothing found');
    await page.goto('/portal/customers?add=yes');
    await page.locator('form.fields').evaluate((form) => {
      (form as HTMLFormElement).noValidate = true;
    });
    await page.getByRole('button', { name: 'Add customer' }).click();
    await page.locator('.problem').first().waitFor();
    await clean('refused form');
    await page.goto('/portal/nothing');
    await clean('no such page');
  });
});
