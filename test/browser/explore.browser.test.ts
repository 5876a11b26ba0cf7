/** The explore page in a browser: questions of analysts by clicks alone, with the figures of SQL (contract: explore page). */
import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lookups } from '../../src/catalogue/lookups.ts';
import { presets, today } from '../../src/web/explore/app/view/periods.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';
import { appearances, expectClean, violationsOf } from './accessibility.ts';
import { launchChromium, longestWaitMs, saveScreenshot } from './chromium.ts';

let service: TestService;
let browser: Browser;
let page: Page;
let clicks: number;
const foreign: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  service = await startService({ demoKeys: [{ name: 'nord, enterprise', key: keys.nordEnterprise }] });
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Opens the page with a key, or with the demo key if there is none. */
const open = async (fragment = '', { key = '', locale = 'en' } = {}): Promise<void> => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 850 },
    locale,
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(longestWaitMs);
  page = await context.newPage();
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(service.url)) foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  if (key) await page.addInitScript((text) => sessionStorage.setItem('estate-api-key', text), key);
  await page.goto(`${service.url}/explore${fragment}`);
};

beforeEach(() => {
  clicks = 0;
});
afterEach(() => page.context().close());

const click = async (target: Locator): Promise<void> => {
  clicks += 1;
  await target.click();
};
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const openTable = (label: string) => click(page.locator('a.card').filter({ has: page.getByText(label, { exact: true }) }));
const openColumn = (label: string) => click(button(`Sort and filter ${label}`));
const choose = (label: string) => click(page.locator('.menu-panel:popover-open').getByRole('button', { name: label, exact: true }));
const check = (label: string) => click(page.locator('.values label').filter({ has: page.getByText(label, { exact: true }) }));
const closeMenu = () => page.keyboard.press('Escape');
/** Choosing in a list takes a click to open it and one to choose. */
const chooseBucket = async (key: string, bucket: string) => {
  clicks += 1;
  await page.getByRole('combobox', { name: key, exact: true }).selectOption(bucket);
};

/** Waits until the page shows this number of rows or groups. */
const expectTotal = (text: string) => page.locator('.view-head').getByText(text, { exact: true }).waitFor();
const count = (rows: number) => rows.toLocaleString('en-GB');
/** The cells of the groups, without signs of formats, when no answer is awaited. */
const groups = async (): Promise<string[][]> => {
  await page.locator('.grid.groups[aria-busy="false"] tbody tr').first().waitFor();
  return page
    .locator('.grid.groups tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replaceAll(',', ''))));
};
const sql = (text: string, values: readonly unknown[] = []) => {
  const from = text.replaceAll(/@(\w+)/g, 'customer_nord.$1');
  return sqlOn(service)(from, values);
};
const number = async (text: string, values: readonly unknown[] = []): Promise<number> => Number((await sql(text, values))[0].n);

describe('questions by at most eight clicks, with the figures of SQL', () => {
  beforeEach(() => open());
  afterEach(() => {
    expect(clicks).toBeLessThanOrEqual(8);
    expect([foreign, complaints]).toEqual([[], []]);
  });

  test('which tenants owe more than 1,000?', async () => {
    await openTable('Tenants');
    await openColumn('Balance');
    await choose('Over 1,000');
    await expectTotal(`${count(await number('select count(*) as n from @tenants where balance > 1000'))} rows`);
  });

  test('how old are the open items of each debtor?', async () => {
    await openTable('How old are the open items of each debtor?');
    const all = await number(
      `select count(*) as n from (select p.account_id, width_bucket('2025-12-31'::date - h.due_date, array[1, 31, 61, 91]) from @booking_positions p
       join @accounts a using (account_id) left join @booking_header h using (booking_header_id)
       where a.account_type = 'debtor' and p.cleared_date is null group by 1, 2) g`,
    );
    await expectTotal(`${count(all)} groups`);
  });

  test('which units of one place are vacant?', async () => {
    const [{ address, n }] = await sql(
      "select address, count(*)::int as n from @property_structure where occupancy_status = 'vacant' group by 1 order by 2 desc, 1 limit 1",
    );
    await openTable('Units');
    await openColumn('Occupancy status');
    await check('Vacant');
    await closeMenu();
    await openColumn('Address');
    await check(address);
    await expectTotal(`${count(n)} rows`);
  });

  test('which leases end within 12 months, with which rent?', async () => {
    const { from, to } = presets.next12Months(today());
    await openTable('Tenants');
    await openColumn('Contract end date');
    await choose('Next 12 months');
    await closeMenu();
    await expectTotal(
      `${count(await number('select count(*) as n from @tenants where contract_end_date between $1 and $2', [from, to]))} rows`,
    );
    await click(button('Columns'));
    await click(page.locator('.menu-panel:popover-open summary').getByText('Floor area', { exact: true }));
    await choose('Target rent net');
    await button('Sort and filter Floor area: Target rent net').waitFor({ state: 'attached' });
  });

  test('which orders have no invoice, by creditor?', async () => {
    await openTable('Orders');
    await openColumn('Invoice status');
    await check('Not invoiced');
    await closeMenu();
    await openColumn('Creditor');
    await choose('⊞ Group by this');
    const rows = await sql(
      `select c.name, count(*)::text as n from @orders o left join @creditor c using (creditor_number)
       where o.invoice_status = 'not_invoiced' group by 1 order by 1 nulls last`,
    );
    expect(await groups()).toEqual(rows.map(({ name, n }) => [(name ?? '(none)').replaceAll(',', ''), n]));
  });

  test('what does each property cost by quarter?', async () => {
    await openTable('Orders');
    await openColumn('Property');
    await choose('⊞ Group by this');
    await click(button('+ Add group'));
    await choose('Order date');
    await chooseBucket('Order date', 'quarter');
    await click(button('+ Add figure'));
    await choose('Invoiced net');
    await page.getByRole('columnheader', { name: 'Invoiced net (Sum)' }).waitFor();
    const rows = await sql(
      `select p.property_name as name, 'Q' || extract(quarter from order_date) || ' ' || extract(year from order_date) as quarter,
       count(*)::text as n, sum(invoiced_net)::text as net from @orders o join @properties p using (property_id)
       group by p.property_name, 2, date_trunc('quarter', order_date) order by p.property_name collate "C", date_trunc('quarter', order_date)`,
    );
    expect(await groups()).toEqual(rows.map(({ name, quarter, n, net }) => [name.replaceAll(',', ''), quarter, n, net]));
    const total = await page.locator('tfoot td').allTextContents();
    expect(total.at(-1)?.replaceAll(',', '')).toBe(String((await sql('select sum(invoiced_net)::text as n from @orders'))[0].n));
    await saveScreenshot(page, 'explore-groups');
  });

  test('which notifications are open for more than 30 days?', async () => {
    const { to } = presets.olderThan30Days(today());
    await openTable('Notifications');
    await openColumn('Report date');
    await choose('Older than 30 days');
    await closeMenu();
    await openColumn('Status');
    const rows = await sql(
      "select status, count(*)::int as n from @notifications where report_date <= $1 and status not in ('completed', 'cancelled') group by 1",
      [to],
    );
    for (const [code, label] of lookups.notification_status) if (rows.some(({ status }) => status === code)) await check(label);
    await expectTotal(`${count(rows.reduce((sum, { n }) => sum + n, 0))} rows`);
  });

  test('how is a property doing?', async () => {
    await openTable('Properties');
    await click(page.locator('.grid tbody th a').first());
    const [row] = await sql(
      `select p.property_id,
       (select count(*)::int from @property_structure u where u.property_id = p.property_id and is_active) as units,
       (select count(*)::int from @property_structure u where u.property_id = p.property_id and is_active and occupancy_status = 'vacant') as vacant,
       (select coalesce(sum(balance) filter (where balance > 0), 0)::text from @tenants t where t.property_id = p.property_id) as arrears,
       (select count(*)::int from @orders o where o.property_id = p.property_id) as orders
       from @properties p order by property_id limit 1`,
    );
    const figure = (label: string) => page.locator('.figures a').filter({ hasText: label }).locator('strong');
    await expect.poll(() => figure('Vacant units').textContent()).toBe(String(row.vacant));
    await expect.poll(() => page.locator('.figures a').first().locator('strong').textContent()).toBe(String(row.units));
    await expect.poll(async () => (await figure('Arrears').textContent())?.replaceAll(',', '')).toBe(row.arrears);
    const related = page.locator('.related a').filter({ has: page.getByText('Orders', { exact: true }) });
    await expect.poll(() => related.textContent()).toBe(`Orders${count(row.orders)} rows`);
    await saveScreenshot(page, 'explore-property');
  });

  test('which service contracts can be cancelled within 90 days?', async () => {
    const { from, to } = presets.next90Days(today());
    await openTable('Service contracts');
    await openColumn('Next termination date');
    await choose('Next 90 days');
    await expectTotal(
      `${count(await number('select count(*) as n from @service_contracts where next_termination_date between $1 and $2', [from, to]))} rows`,
    );
  });

  test('what is the vacancy rate of each property?', async () => {
    await openTable('Units');
    await openColumn('Property');
    await choose('⊞ Group by this');
    await click(button('+ Add figure'));
    await choose('Vacancy rate by units');
    await page.getByRole('columnheader', { name: 'Vacancy rate by units' }).waitFor();
    const lettable = "is_active and usage_type not in ('parking_space', 'garage') and occupancy_status in ('let', 'vacant')";
    const rows = await sql(
      `select property_name as name, count(*)::text as n, coalesce(round(100.0 * count(*) filter (where ${lettable} and occupancy_status = 'vacant')
       / nullif(count(*) filter (where ${lettable}), 0), 2)::text, '–') as rate
       from @property_structure join @properties using (property_id) group by 1 order by 1`,
    );
    expect(await groups()).toEqual(rows.map(({ name, n, rate }) => [name.replaceAll(',', ''), n, rate]));
  });

  test('what did each trade cost, and which orders are behind a figure?', async () => {
    await openTable('Orders');
    await openColumn('Trade');
    await choose('⊞ Group by this');
    await click(button('+ Add figure'));
    await choose('Total net');
    await page.getByRole('columnheader', { name: 'Total net (Sum)' }).waitFor();
    const rows = await sql('select trade, count(*)::text as n, sum(total_net)::text as net from @orders group by 1 order by 1 nulls last');
    expect((await groups()).map(([, ...figures]) => figures)).toEqual(rows.map(({ n, net }) => [n, net]));
    await click(page.locator('.grid.groups tbody tr').first().locator('a').first());
    await expectTotal(`${count(Number(rows[0].n))} rows`);
  });

  test('which orders took longest from the report to completion?', async () => {
    await openTable('Orders');
    await click(button('Columns'));
    await click(page.locator('.menu-panel:popover-open summary').getByText('Computed column', { exact: true }));
    const pick = async (label: string, value: string) => {
      clicks += 1;
      await page.locator('.menu-panel:popover-open').getByRole('combobox', { name: label }).selectOption({ label: value });
    };
    await pick('First column', 'Notification: Report date');
    await pick('Second column', 'Execution end date');
    await choose('Add column');
    await closeMenu();
    const label = 'Days from Notification: Report date to Execution end date';
    await openColumn(label);
    await choose('▼ Sort descending');
    const [{ most }] = await sql(
      'select max(execution_end_date - report_date)::text as most from @orders join @notifications using (report_hdr_id)',
    );
    const cell = page.locator('.grid tbody tr').first().locator('td').last();
    await expect.poll(() => cell.textContent()).toBe(most);
    expect(await page.locator('.grid tbody tr').first().locator('td.number').last().textContent()).toBe(most);
    await page.reload();
    await expect.poll(() => cell.textContent()).toBe(most);
  });

  test('how many leases end in each year?', async () => {
    await openTable('Tenants');
    await openColumn('Contract end date');
    await choose('⊞ Group by this');
    await chooseBucket('Contract end date', 'year');
    const rows = await sql(
      'select extract(year from contract_end_date)::text as year, count(*)::text as n from @tenants group by 1 order by 1 nulls last',
    );
    await page.getByRole('columnheader', { name: 'Contract end date (Year)' }).waitFor();
    await expectTotal(`${count(rows.length)} groups`);
    expect(await groups()).toEqual(rows.map(({ year, n }) => [year ?? '(none)', n]));
  });
});

describe('the page', () => {
  test('in German, with formats and labels of codes', async () => {
    await open('#/operations/orders?where=status=closed&order=-total_net', { key: keys.nordEnterprise, locale: 'de-DE' });
    await page.getByRole('heading', { name: 'Aufträge' }).waitFor();
    await page.getByText('Status: Abgeschlossen').waitFor();
    const [{ net }] = await sql("select max(total_net) as net from @orders where status = 'closed'");
    await page
      .getByText(Number(net).toLocaleString('de-DE', { minimumFractionDigits: 2 }))
      .first()
      .waitFor();
    expect(page.url()).not.toContain('est_');
  });

  test('pages follow each other, and a link restores a view for another key', async () => {
    const all = await number('select count(*) as n from @orders');
    await open('#/operations/orders?order=-order_id', { key: keys.nordProfessional });
    await expectTotal(`${count(all)} rows`);
    const first = await page.locator('.grid tbody th').first().textContent();
    await button('Next').click();
    await page.getByText(`101–${count(Math.min(200, all))} of ${count(all)}`).waitFor();
    expect(await page.locator('.grid tbody th').first().textContent()).not.toBe(first);
    await button('Previous').click();
    await page.getByText(`1–100 of ${count(all)}`).waitFor();
    expect(await page.locator('.grid tbody th').first().textContent()).toBe(first);
  });

  test('a view is one REST request, which is copied, and its CSV has its rows', async () => {
    await open('#/operations/orders?where=total_net>1000&columns=order_number,property.property_name,total_net', {
      key: keys.nordEnterprise,
    });
    await page.locator('.grid tbody tr').first().waitFor();
    await button('Share and export').click();
    await page.locator('.menu-panel:popover-open').getByRole('button', { name: 'Copy', exact: true }).first().click();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    const asked = await service.get(address.replace(service.url, ''));
    expect([asked.status, Object.keys(asked.json[0])]).toEqual([200, ['order_number', 'property.property_name', 'total_net']]);
    const saved = page.waitForEvent('download');
    await button('Download CSV').click();
    const lines = readFileSync((await (await saved).path()) as string, 'utf8')
      .trim()
      .split('\r\n');
    expect([lines[0], lines.length - 1]).toEqual(['order_number,property.property_name,total_net', asked.json.length]);
  });

  test('a search finds rows, is a chip, and is part of the address', async () => {
    const [{ name, id }] = await sql(
      `select replace(property_name, ',', '') as name, property_id as id from @properties order by property_id offset 1 limit 1`,
    );
    await open('#/property/properties', { key: keys.nordEnterprise });
    await page.getByRole('searchbox', { name: 'Find by name, number or address' }).fill(String(name));
    await page.keyboard.press('Enter');
    await page.locator('.chip', { hasText: `Search: “${name}”` }).waitFor();
    const where = new URLSearchParams(decodeURIComponent(new URL(page.url()).hash).split('?')[1]).get('where');
    expect(where).toMatch(/^all\(any\(|^any\(/);
    const { json, headers } = await service.get(`/property/properties?where=${encodeURIComponent(where ?? '')}`);
    expect(json.map((row: { readonly property_id: number }) => row.property_id)).toContain(id);
    await expectTotal(`${count(Number(headers.get('x-total-count')))} rows`);
    await button(`Remove filter: Search: “${name}”`).click();
    await expectTotal(`${count(await number('select count(*) as n from @properties'))} rows`);
  });

  test('the start finds a property, a unit or a tenant, and opens a single one', async () => {
    const [{ tenant, contract }] = await sql('select name as tenant, contract_number as contract from @tenants order by tenant_id limit 1');
    await open('', { key: keys.nordEnterprise });
    const box = page.getByRole('searchbox', { name: 'Find by name, number or address' });
    await box.fill('nobody-has-this-name');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing found.').waitFor();
    await box.fill('straße');
    await page.keyboard.press('Enter');
    await page.locator('.find-row .card').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await saveScreenshot(page, 'explore-found');
    await box.fill(String(contract));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: String(tenant) }).waitFor();
  });

  test('a second group becomes columns, with totals of the service and the rows behind a figure', async () => {
    await open('#/operations/orders/groups?by=trade,status&count&avg=total_net', { key: keys.nordEnterprise });
    await page.getByRole('combobox', { name: 'As columns' }).selectOption('Status');
    await page.locator('.grid.pivot[aria-busy="false"] tfoot').waitFor();
    expect(page.url()).toContain('&pivot=status');
    const known = await sql('select distinct status from @orders order by 1 nulls last');
    const labels = known.map(({ status }) => lookups.order_status.find(([code]) => code === status)?.[1] ?? '(none)');
    const heads = await page.locator('.pivot thead tr').first().locator('th').allTextContents();
    expect(heads).toEqual(['Trade', ...labels, 'Total']);
    const [totals] = await sql("select count(*)::text as n, round(avg(total_net), 6)::float8 as net from @orders where status = 'closed'");
    const at = heads.indexOf('Closed');
    const footer = page.locator('.pivot tfoot td');
    await expect.poll(() => footer.nth(2 * at - 1).textContent()).toBe(totals.n);
    await expect.poll(async () => Number((await footer.nth(2 * at).textContent())?.replaceAll(',', ''))).toBeCloseTo(totals.net, 2);
    await click(footer.nth(2 * at - 1).locator('a'));
    await expectTotal(`${totals.n} rows`);
    await page.getByText('Status: Closed').waitFor();
  });

  test('the state of tenancies at the end of each month', async () => {
    await open('#/stakeholder/tenants/groups?count', { key: keys.nordEnterprise });
    await button('+ Add group').click();
    await choose('As-of day');
    await expectTotal('12 groups');
    const last = await page.locator('.grid.groups tbody tr').last().locator('td, th').allTextContents();
    const n = await number(
      `select count(*) as n from @tenants, (select (date_trunc('month', current_date) + interval '1 month - 1 day')::date as day) d
       where coalesce(contract_start_date, day) <= day and coalesce(contract_end_date, day) >= day`,
    );
    expect(last.at(-1)?.replaceAll(',', '')).toBe(String(n));
    await page.getByRole('combobox', { name: 'As-of day' }).selectOption({ label: 'Quarter' });
    await expectTotal('8 groups');
  });

  test('alternatives are a chip in words', async () => {
    const where = 'any(total_net>1000,all(trade:is_null,subject:icontains(Dach)))';
    await open(`#/operations/orders?where=${where}`, { key: keys.nordEnterprise });
    await page.getByText('(Total net: > 1,000 or (Trade: empty and Subject: “Dach”))').waitFor();
    await expectTotal(
      `${count(await number("select count(*) as n from @orders where total_net > 1000 or trade is null and subject ilike '%dach%'"))} rows`,
    );
  });

  test('a table with required filters opens with the newest values', async () => {
    await open('#/accounting/booking_header', { key: keys.nordEnterprise });
    const [{ year }] = await sql('select max(fiscal_year) as year from @booking_header');
    await page.getByText(`Fiscal year: ${year}`).waitFor();
    await page.locator('.grid tbody tr').first().waitFor();
  });

  test('a wrong key and a table above the tier are explained', async () => {
    await open('', { key: 'est_nobody_wrong' });
    await page.getByText('This API key is not valid').waitFor();
    await page.context().close();
    await open('#/operations/orders', { key: keys.nordBasic });
    await page.getByText('There is no such table for this key.').waitFor();
  });

  test.each([
    ['start', ''],
    ['rows', '#/operations/orders?where=status=closed'],
    ['groups', '#/operations/orders/groups?by=trade&count&sum=total_net'],
    ['pivot', '#/operations/orders/groups?by=trade,status&count&sum=total_net&pivot=status'],
    ['row', '#/property/properties?where=property_id=1001&show=row'],
  ])('axe finds nothing and all fits: %s', async (state, fragment) => {
    await open(fragment, { key: keys.nordEnterprise });
    await page.locator('.cards-list, .grid tbody tr, .fields').first().waitFor();
    await expect.poll(() => page.locator('.skeleton, [aria-busy=true]').count()).toBe(0);
    await expectClean(page, state, appearances, 'explore');
    expect([foreign, complaints]).toEqual([[], []]);
  });

  test('the menu of a column is clean, too', async () => {
    await open('#/operations/orders', { key: keys.nordEnterprise });
    await openColumn('Status');
    await page.locator('.values label').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await closeMenu();
    await button('Columns').click();
    await page.locator('.menu-panel:popover-open summary').getByText('Computed column', { exact: true }).click();
    expect(await violationsOf(page)).toEqual([]);
  });
});
