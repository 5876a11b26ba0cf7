/** The explore page in a browser: questions of analysts by clicks alone, with the figures of SQL (contract: explore page). */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lookups } from '../../src/catalogue/lookups.ts';
import { presets, today } from '../../src/web/explore/app/view/periods.ts';
import { keys } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';
import { appearances, expectClean, violationsOf } from './accessibility.ts';
import { saveScreenshot } from './chromium.ts';
import { type PageOptions, pagesOfService } from './pages.ts';

const pages = pagesOfService({ demoKeys: [{ name: 'nord, enterprise', key: keys.nordEnterprise }] }, { mayBeRefused: true });
let page: Page;
let clicks: number;

/** Opens the page in a separate tab: with a key, or with the demo key if there is none. */
const openSeparately = async (fragment = '', options: PageOptions = {}): Promise<void> => {
  page = await pages.newPage({ locale: 'en', ...options });
  await page.goto(`/explore${fragment}`);
};

/** Opens a view in the tab with the demo key. The page is loaded once, and shows its start before each view. */
const open = async (fragment = ''): Promise<void> => {
  page = await pages.keptPage('demo', async () => {
    await openSeparately();
    // The page takes the demo key and loads again.
    await page.locator('.cards-list').first().waitFor();
    return page;
  });
  await page.evaluate(() => {
    location.hash = '';
  });
  await page.locator('.cards-list').first().waitFor();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, fragment);
};

beforeEach(() => {
  clicks = 0;
});

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
const rowsText = (rows: number) => (rows === 1 ? '1 row' : `${count(rows)} rows`);
/** The cells of the groups, without signs of formats, when no answer is awaited. */
const groups = async (): Promise<string[][]> => {
  await page.locator('.grid.groups[aria-busy="false"] tbody tr').first().waitFor();
  return page
    .locator('.grid.groups tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replaceAll(',', ''))));
};
const sql = (text: string, values: readonly unknown[] = []) => {
  const from = text.replaceAll(/@(\w+)/g, 'customer_nord.$1');
  return sqlOn(pages.service)(from, values);
};
/** Rows of SQL as the page orders them: the largest figure first, and equal ones by their name as people order names. */
const largestFirst = <Row extends { readonly name: string | null }>(
  rows: readonly Row[],
  figureOf: (row: Row) => number | null,
): readonly Row[] => {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const figure = (row: Row) => figureOf(row) ?? Number.NEGATIVE_INFINITY;
  const byName = (one: Row, other: Row) =>
    one.name === null || other.name === null ? Number(one.name === null) - Number(other.name === null) : compare(one.name, other.name);
  return rows.toSorted((one, other) => figure(other) - figure(one) || byName(one, other));
};
const number = async (text: string, values: readonly unknown[] = []): Promise<number> => Number((await sql(text, values))[0].n);

describe('questions by at most eight clicks, with the figures of SQL', () => {
  beforeEach(() => open());
  afterEach(() => {
    expect(clicks).toBeLessThanOrEqual(8);
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
      `select count(*) as n from (select p.account_id, width_bucket((select max(booking_date) from @booking_positions where booking_date <= current_date) - h.due_date, array[1, 31, 61, 91]) from @booking_positions p
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
    await expectTotal(rowsText(await number('select count(*) as n from @tenants where contract_end_date between $1 and $2', [from, to])));
    await click(button('Columns'));
    await click(page.locator('.menu-panel:popover-open summary').getByText('Unit', { exact: true }));
    await choose('Target rent net');
    await button('Sort and filter Unit: Target rent net').waitFor({ state: 'attached' });
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
       where o.invoice_status = 'not_invoiced' group by 1`,
    );
    expect(await groups()).toEqual(
      largestFirst(rows, ({ n }) => Number(n)).map(({ name, n }) => [(name ?? '(none)').replaceAll(',', ''), n]),
    );
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
       group by p.property_name, 2, date_trunc('quarter', order_date)
       order by date_trunc('quarter', order_date) desc, sum(invoiced_net) desc nulls last, p.property_name`,
    );
    expect(await groups()).toEqual(rows.map(({ name, quarter, n, net }) => [name.replaceAll(',', ''), quarter, n, net]));
    const total = await page.locator('tfoot td').allTextContents();
    expect(total.at(-1)?.replaceAll(',', '')).toBe(String((await sql('select sum(invoiced_net)::text as n from @orders'))[0].n));
    await saveScreenshot(page, 'explore-groups');
  });

  test('what did orders cost in each quarter, against the year before?', async () => {
    await openTable('Orders');
    await openColumn('Order date');
    await choose('⊞ Group by this');
    await chooseBucket('Order date', 'quarter');
    await click(button('+ Add figure'));
    await choose('Total net');
    await click(button('+ Add figure'));
    await choose('Compare with the year before');
    await page.getByRole('columnheader', { name: 'Change, €' }).waitFor();
    const rows = await sql(
      `with q as (select date_trunc('quarter', order_date) as day, count(*) as n, sum(total_net) as net from @orders group by 1)
       select 'Q' || extract(quarter from q.day) || ' ' || extract(year from q.day) as quarter, q.n::text as n, q.net::text as net,
       coalesce(b.net::text, '–') as before, coalesce((q.net - b.net)::text, '–') as change
       from q left join q b on b.day = q.day - interval '1 year' order by q.day desc`,
    );
    expect(await groups()).toEqual(rows.map(({ quarter, n, net, before, change }) => [quarter, n, net, before, change]));
  });

  test('what does an order of each creditor cost, in sum and on average?', async () => {
    await openTable('Orders');
    await openColumn('Creditor');
    await choose('⊞ Group by this');
    for (const column of ['Total net (Sum)', 'Total net (Average)']) {
      await click(button('+ Add figure'));
      await choose('Total net');
      await page.getByRole('columnheader', { name: column }).waitFor();
    }
    const rows = await sql(
      `select c.name, count(*)::text as n, sum(total_net)::text as net, round(avg(total_net), 2)::text as average
       from @orders o left join @creditor c using (creditor_number) group by 1`,
    );
    expect(await groups()).toEqual(
      largestFirst(rows, ({ net }) => Number(net)).map(({ name, n, net, average }) => [
        (name ?? '(none)').replaceAll(',', ''),
        n,
        net,
        average,
      ]),
    );
  });

  test('for which units are orders open?', async () => {
    await openTable('Units');
    await click(button('+ Filter'));
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    await page.keyboard.type('orders');
    await choose('Orders …');
    await choose('Open orders');
    const [{ day }] = await sql('select max(booking_date)::text as day from @booking_positions where booking_date <= current_date');
    const all = await number(
      `select count(*) as n from @property_structure u where exists (select from @orders o where o.floor_area_id = u.floor_area_id
       and status not in ('cancelled', 'rejected') and order_date <= $1 and (closed_date is null or closed_date > $1))`,
      [day],
    );
    expect(all).toBeGreaterThan(0);
    await expectTotal(rowsText(all));
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
       (select count(*)::int from @notifications n where n.property_id = p.property_id and status not in ('completed', 'cancelled')) as notifications,
       (select coalesce(sum(b.signed_amount), 0)::text from @booking_positions b join @accounts a using (account_id) join @booking_header h using (booking_header_id)
        where a.account_type = 'debtor' and b.property_id = p.property_id and h.due_date <= d.day and (b.cleared_date is null or b.cleared_date > d.day)) as arrears,
       (select count(*)::int from @orders o where o.property_id = p.property_id) as orders
       from @properties p, (select max(booking_date) as day from @booking_positions where booking_date <= current_date) d order by p.property_id limit 1`,
    );
    const figure = (label: string) =>
      page
        .locator('.figures a')
        .filter({ has: page.getByText(label, { exact: true }) })
        .locator('strong');
    await expect.poll(() => figure('Units').textContent()).toBe(String(row.units));
    await expect.poll(() => figure('Open notifications').textContent()).toBe(String(row.notifications));
    await expect.poll(async () => (await figure('Arrears').textContent())?.replaceAll(/[,€]/g, '')).toBe(row.arrears);
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
       from @property_structure join @properties using (property_id) group by 1`,
    );
    const shown = largestFirst(rows, ({ rate }) => (rate === '–' ? null : Number(rate)));
    expect(await groups()).toEqual(shown.map(({ name, n, rate }) => [name.replaceAll(',', ''), n, rate]));
  });

  test('what did each trade cost, and which orders are behind a figure?', async () => {
    await openTable('Orders');
    await openColumn('Trade');
    await choose('⊞ Group by this');
    await click(button('+ Add figure'));
    await choose('Total net');
    await page.getByRole('columnheader', { name: 'Total net (Sum)' }).waitFor();
    const rows = await sql(
      'select trade, count(*)::text as n, sum(total_net)::text as net from @orders group by 1 order by sum(total_net) desc nulls last',
    );
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
      'select extract(year from contract_end_date)::text as year, count(*)::text as n from @tenants group by 1 order by 1 desc nulls last',
    );
    await page.getByRole('columnheader', { name: 'Contract end date (Year)' }).waitFor();
    await expectTotal(`${count(rows.length)} groups`);
    expect(await groups()).toEqual(rows.map(({ year, n }) => [year ?? '(none)', n]));
  });
});

/** A number as the page shows it, without signs of formats. */
const digits = (text: string | null): string => (text ?? '').replaceAll(/[^\d.-]/g, '');

describe('the start', () => {
  const card = (label: string) => page.locator('.figures a').filter({ has: page.getByText(label, { exact: true }) });

  test('has figures, each with the month before and a link to what it counts or adds', async () => {
    for (const label of ['Vacant units', 'Open orders', 'Contracts that end in 90 days']) {
      await open();
      const figure = await card(label).locator('strong').textContent();
      expect(await card(label).locator('.before').textContent()).toContain('a month before');
      await card(label).click();
      await expectTotal(figure === '1' ? '1 row' : `${figure} rows`);
    }
    for (const label of ['Rent this month', 'Arrears', 'Costs booked this month']) {
      await open();
      const figure = digits(await card(label).locator('strong').textContent());
      await card(label).click();
      const groups = page.locator('.grid.groups[aria-busy="false"] tbody tr');
      await groups.first().waitFor();
      const cells = await groups.evaluateAll((rows) => rows.map((row) => row.lastElementChild?.textContent ?? ''));
      const sum = cells.map(digits).reduce((total, cell) => total + Number(cell), 0);
      expect([label, sum.toFixed(2)]).toEqual([label, Number(figure).toFixed(2)]);
    }
  });

  test('another day has other figures, and the state of the data and the quota are there', async () => {
    await openSeparately('', { key: keys.nordEnterprise });
    const rent = card('Rent this month').locator('strong');
    const first = await rent.textContent();
    await page.getByText(/^Data loaded/).waitFor();
    await page.getByLabel('Day').fill('2025-01-31');
    // The field has the style of the page while it is not edited, and that of the browser meanwhile.
    const shown = () => page.locator('.shown-day').evaluate((field) => getComputedStyle(field, '::before').content);
    expect(await shown()).toBe('none');
    await page.getByLabel('Day').blur();
    expect(await shown()).toBe('"31 Jan 2025" / ""');
    await expect.poll(() => rent.textContent()).not.toBe(first);
    const [{ n }] = await sql(
      `select round(sum(net_amount * case payment_interval when 'monthly' then 12 when 'quarterly' then 4 when 'semi_annual' then 2 when 'annual' then 1 else 0 end) / 12, 2) as n
       from @contract_debits where debit_type = 'basic_rent' and valid_from <= '2025-01-31' and coalesce(valid_to, '9999-12-31') >= '2025-01-31'`,
    );
    await expect.poll(async () => digits(await rent.textContent())).toBe(String(n));
  });

  test('a key that does not read all tables sees its figures and a sentence', async () => {
    await openSeparately('', { key: keys.nordBasic });
    await page.getByText(/figures are left out, because this key does not read their tables/).waitFor();
    await card('Vacant units').waitFor({ state: 'detached' });
  });

  test('a report has its title, and fields for the day and the property', async () => {
    await open();
    await page.locator('a.card').filter({ hasText: 'How does the contracted rent develop from month to month?' }).click();
    await page.getByRole('heading', { name: 'How does the contracted rent develop from month to month?' }).waitFor();
    await expectTotal('12 groups');
    await page.getByRole('columnheader', { name: 'Change, € a year' }).waitFor();
    expect(await page.title()).toContain('How does the contracted rent develop');
    await page.getByLabel('Day', { exact: true }).fill('2025-12-31');
    await page.locator('.grid.groups tbody th').first().getByText('31 Dec 2025').waitFor();
    const id = (await sql('select min(property_id)::text as id from @contract_debits'))[0].id;
    await page.getByRole('combobox', { name: 'Property', exact: true }).selectOption(id);
    const [{ n }] = await sql(
      `select sum(net_amount * case payment_interval when 'monthly' then 12 when 'quarterly' then 4 when 'semi_annual' then 2 when 'annual' then 1 else 0 end) as n
       from @contract_debits where debit_type = 'basic_rent' and property_id = $1 and valid_from <= '2025-12-31' and coalesce(valid_to, '9999-12-31') >= '2025-12-31'`,
      [id],
    );
    const rent = page.locator('.grid.groups[aria-busy="false"] tbody tr').first().locator('td').first();
    await expect.poll(async () => digits(await rent.textContent())).toBe(String(n));
    // The link has the report, its day and its property.
    await page.reload();
    await page.getByRole('heading', { name: 'How does the contracted rent develop from month to month?' }).waitFor();
    await expect.poll(async () => digits(await rent.textContent())).toBe(String(n));
  });

  test('in German, the frame, the figures and the meanings are German', async () => {
    await openSeparately('', { key: keys.nordEnterprise, locale: 'de-DE' });
    await page.getByRole('link', { name: 'Dokumentation' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByLabel('API-Schlüssel').waitFor();
    await card('Rückstände').waitFor();
    await page.goto('/explore#/operations/orders?where=order_id:is_not_null&show=row');
    await page.getByText('gesamter Auftragswert netto').waitFor();
  });
});

describe('the page', () => {
  test('in German, with formats and labels of codes', async () => {
    await openSeparately('#/operations/orders?where=status=closed&order=-total_net', { key: keys.nordEnterprise, locale: 'de-DE' });
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
    await openSeparately('#/operations/orders?order=-order_id', { key: keys.nordProfessional });
    await expectTotal(`${count(all)} rows`);
    const first = await page.locator('.grid tbody th').first().textContent();
    await button('Next').click();
    await page.getByText(`101–${count(Math.min(200, all))} of ${count(all)}`).waitFor();
    await expect.poll(() => page.locator('.grid tbody th').first().textContent()).not.toBe(first);
    await button('Previous').click();
    await page.getByText(`1–100 of ${count(all)}`).waitFor();
    await expect.poll(() => page.locator('.grid tbody th').first().textContent()).toBe(first);
  });

  test('a view is one REST request, which is copied, and its CSV has its rows', async () => {
    await open('#/operations/orders?where=total_net>1000&columns=order_number,property.property_name,total_net');
    await page.locator('.grid tbody tr').first().waitFor();
    await button('Share and export').click();
    await page.locator('.menu-panel:popover-open').getByRole('button', { name: 'Copy', exact: true }).first().click();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    const asked = await pages.service.get(address.replace(pages.service.url, ''));
    expect([asked.status, Object.keys(asked.json[0])]).toEqual([200, ['order_number', 'property.property_name', 'total_net']]);
    const linesOf = async (label: string): Promise<readonly string[]> => {
      const saved = page.waitForEvent('download');
      await button(label).click();
      return readFileSync((await (await saved).path()) as string, 'utf8')
        .trimEnd()
        .split('\r\n');
    };
    const plain = await linesOf('CSV for programs');
    expect([plain[0], plain.length - 1]).toEqual(['order_number,property.property_name,total_net', asked.json.length]);
    const shown = await linesOf('Download CSV');
    expect([shown[0], shown.length]).toEqual(['\uFEFFOrder number,Property,Total net', plain.length]);
  });

  test('a search finds rows, is a chip, and is part of the address', async () => {
    const [{ name, id }] = await sql(
      `select replace(property_name, ',', '') as name, property_id as id from @properties order by property_id offset 1 limit 1`,
    );
    await open('#/property/properties');
    await page.getByRole('searchbox', { name: 'Find by name, number or address' }).fill(String(name));
    await page.keyboard.press('Enter');
    await page.locator('.chip', { hasText: `Search: “${name}”` }).waitFor();
    const where = new URLSearchParams(decodeURIComponent(new URL(page.url()).hash).split('?')[1]).get('where');
    expect(where).toMatch(/^all\(any\(|^any\(/);
    const { json, headers } = await pages.service.get(`/property/properties?where=${encodeURIComponent(where ?? '')}`);
    expect(json.map((row: { readonly property_id: number }) => row.property_id)).toContain(id);
    await expectTotal(rowsText(Number(headers.get('x-total-count'))));
    await button(`Remove filter: Search: “${name}”`).click();
    await expectTotal(`${count(await number('select count(*) as n from @properties'))} rows`);
  });

  test('the start finds a property, a unit or a tenant, and opens a single one', async () => {
    const [{ tenant, contract }] = await sql('select name as tenant, contract_number as contract from @tenants order by tenant_id limit 1');
    await open('');
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
    await open('#/operations/orders/groups?by=trade,status&count&avg=total_net');
    await page.getByRole('combobox', { name: 'As columns' }).selectOption('Status');
    await page.locator('.grid.pivot[aria-busy="false"] tfoot').waitFor();
    expect(page.url()).toContain('&pivot=status');
    const known = await sql('select status from @orders group by 1 order by count(*) desc, 1');
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
    await open('#/stakeholder/tenants/groups?count');
    await button('+ Add group').click();
    await choose('As-of day');
    await expectTotal('12 groups');
    const newest = await page.locator('.grid.groups tbody tr').first().locator('td, th').allTextContents();
    const n = await number(
      `select count(*) as n from @tenants, (select (date_trunc('month', current_date) + interval '1 month - 1 day')::date as day) d
       where coalesce(contract_start_date, day) <= day and coalesce(contract_end_date, day) >= day`,
    );
    expect(newest.at(-1)?.replaceAll(',', '')).toBe(String(n));
    await page.getByRole('combobox', { name: 'As-of day' }).selectOption({ label: 'Quarter' });
    await expectTotal('8 groups');
  });

  test('alternatives are a chip in words', async () => {
    const where = 'any(total_net>1000,all(trade:is_null,subject:icontains(Dach)))';
    await open(`#/operations/orders?where=${where}`);
    await page.getByText('(Total net: more than 1,000 or (Trade: empty and Subject: contains “Dach”))').waitFor();
    await expectTotal(
      `${count(await number("select count(*) as n from @orders where total_net > 1000 or trade is null and subject ilike '%dach%'"))} rows`,
    );
  });

  test('a table that is read by property and year says so, offers them by name, and sums without them', async () => {
    await open('#/accounting/booking_positions');
    await page.getByText('The rows of this table are read by Property and Fiscal year.').waitFor();
    const [newest] = await sql(
      'select fiscal_year::text as year, property_id from @booking_positions order by fiscal_year desc, property_id desc limit 1',
    );
    const picked = (label: string) => page.getByRole('combobox', { name: label, exact: true });
    await expect.poll(() => picked('Fiscal year').inputValue()).toBe(newest.year);
    const [{ name, n }] = await sql(
      `select property_name as name, count(*)::int as n from @booking_positions join @properties using (property_id)
       where property_id = 1001 and fiscal_year = ${newest.year} group by 1`,
    );
    await picked('Property').selectOption({ label: `${name} (1001)` });
    await expectTotal(`${count(n)} rows`);
    await open('#/accounting/booking_positions');
    await page.locator('.grid tbody tr').first().waitFor();
    await button('Summarize').click();
    const all = await number('select count(*) as n from @booking_positions');
    await expect.poll(async () => (await groups())[0]).toEqual([String(all)]);
    await expect.poll(() => picked('Property').inputValue()).toBe('');
    // Rows of all properties cannot be read, so the figure leads nowhere.
    expect(await page.locator('.grid.groups tbody a').count()).toBe(0);
    // A report has a field for the property, so the page asks for it once.
    await open('#/accounting/booking_positions/groups?by=account_number&count&report=bookings-against-last-year,2025-12-31');
    await picked('Fiscal year').waitFor();
    await expect.poll(() => picked('Property').locator('option').count()).toBeGreaterThan(1);
    expect(await picked('Property').count()).toBe(1);
  });

  test('a click on a figure with a condition shows its rows, and Back returns to the place and the page', async () => {
    const value = 'open:count(status!=closed)';
    await open(`#/operations/orders/groups?by=property.property_name,trade&count&value=${value}`);
    await page.locator('.grid.groups[aria-busy="false"] tbody tr').first().waitFor();
    const row = page.locator('.grid.groups tbody tr').nth(30);
    const open30 = row.locator('td').last();
    const n = await open30.textContent();
    // The pointer scrolls to a figure that the last row covers.
    await open30.locator('a').hover();
    const scrolled = () => page.locator('.grid').evaluate(({ scrollTop }) => scrollTop);
    const before = await scrolled();
    expect(before).toBeGreaterThan(0);
    await open30.locator('a').click();
    await expectTotal(`${n} rows`);
    await page.getByText('Status: not Closed').waitFor();
    expect(await page.title()).toMatch(/^Orders · .*Status: not Closed.* – Explore$/);
    await page.goBack();
    await page.locator('.grid.groups[aria-busy="false"] tbody tr').first().waitFor();
    await expect.poll(scrolled).toBe(before);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(n);
    expect(await page.title()).toBe('Orders by Property, Trade – Explore');
  });

  test('a page of rows and the choice of a chart are in the address, so a link has them', async () => {
    await open('#/operations/orders?page=2');
    const all = await number('select count(*) as n from @orders');
    await page.getByText(`101–${count(Math.min(200, all))} of ${count(all)}`).waitFor();
    await open('#/operations/orders/groups?by=trade&count&chart=line,trade,count');
    const kind = page.getByRole('combobox', { name: 'As', exact: true });
    await expect.poll(() => kind.inputValue()).toBe('line');
    await kind.selectOption('bar');
    await expect.poll(() => new URL(page.url()).hash).toContain('chart=bar,trade,count');
  });

  test('rows and groups are sorted by several columns: with the shift key, and by the menu', async () => {
    const order = () => new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('order');
    const head = (name: string) => page.getByRole('columnheader', { name: `Sort and filter ${name}` });
    await open('#/operations/orders?columns=order_number,status,total_net,order_date');
    await openColumn('Status');
    await choose('▲ Sort ascending');
    await button('Sort and filter Total net').click({ modifiers: ['Shift'] });
    await button('Sort and filter Total net').click({ modifiers: ['Shift'] });
    await expect.poll(order).toBe('status,-total_net');
    expect([await head('Status').textContent(), await head('Total net').textContent()]).toEqual(['Status ▲1', 'Total net ▼2']);
    expect([await head('Status').getAttribute('aria-sort'), await head('Total net').getAttribute('aria-sort')]).toEqual([
      'ascending',
      null,
    ]);
    await openColumn('Order date');
    await choose('▼ Then descending');
    await expect.poll(order).toBe('status,-total_net,-order_date');
    await saveScreenshot(page, 'explore-several-columns');
    const rows = await sql(
      'select order_number from @orders order by status, total_net desc nulls last, order_date desc nulls last limit 5',
    );
    const numbers = page.locator('.grid[aria-busy="false"] tbody th');
    await expect.poll(async () => (await numbers.allTextContents()).slice(0, 5)).toEqual(rows.map(({ order_number }) => order_number));
    await openColumn('Status');
    await choose('– Not sorted');
    await expect.poll(order).toBe('-total_net,-order_date');

    await open('#/operations/orders/groups?by=status,trade&count&order=status');
    await page
      .getByRole('columnheader', { name: 'Count' })
      .getByRole('button')
      .click({ modifiers: ['Shift'] });
    await expect.poll(order).toBe('status,-count');
  });

  test('the script of charts comes with the first chart, and a sentence if it cannot be loaded', async () => {
    page = await pages.newPage({ locale: 'en', key: keys.nordEnterprise });
    const asked: string[] = [];
    await page.route('**/drawing.js', (route) => {
      asked.push(route.request().url());
      // After an update, an open page asks for the script of the version before.
      return asked.length === 1 ? route.fulfill({ status: 404 }) : route.continue();
    });
    await page.goto('/explore');
    await page.locator('.figures strong').first().waitFor();
    expect(asked).toEqual([]);
    await page.goto('/explore#/operations/orders/groups?by=trade&count');
    await page.getByText('The chart could not be loaded.').waitFor();
    await page.reload();
    await page.locator('canvas').waitFor();
    await expect
      .poll(() =>
        page
          .locator('canvas')
          .evaluate((canvas: HTMLCanvasElement) =>
            canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean),
          ),
      )
      .toBe(true);
  });

  test('one group is shown as numbers instead of a chart', async () => {
    await open('#/operations/orders/groups?count&sum=total_net');
    const numbers = page.getByRole('region', { name: 'Chart' }).locator('.card');
    await expect.poll(() => numbers.count()).toBe(2);
    expect(digits(await numbers.first().locator('strong').textContent())).toBe(String(await number('select count(*) as n from @orders')));
    expect(await page.locator('canvas').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await saveScreenshot(page, 'explore-one-group');
  });

  test('figures of a row are those of a day, which the reader can change', async () => {
    await open('#/property/properties?property_id=1001&show=row');
    const rent = page.locator('.figures a').filter({ has: page.getByText('Rent this month', { exact: true }) });
    const first = await rent.locator('strong').textContent();
    await page.getByLabel('Day').fill('2025-01-31');
    await expect.poll(() => rent.locator('strong').textContent()).not.toBe(first);
    const [{ n }] = await sql(
      `select round(sum(net_amount * case payment_interval when 'monthly' then 12 when 'quarterly' then 4 when 'semi_annual' then 2 when 'annual' then 1 else 0 end) / 12, 2) as n
       from @contract_debits where property_id = 1001 and debit_type = 'basic_rent' and valid_from <= '2025-01-31' and coalesce(valid_to, '9999-12-31') >= '2025-01-31'`,
    );
    await expect.poll(async () => digits(await rent.locator('strong').textContent())).toBe(String(n));
    expect(await violationsOf(page)).toEqual([]);
  });

  test('more groups than the service gives are a notice, not a part of a table', async () => {
    const address = '/contracts/contract_debits/groups?by=as_of:month(2016-01-01,2034-12-31),contract_debit_id&count';
    const all = Number((await pages.service.get(`${address}&limit=1`)).headers.get('x-total-count'));
    expect(all).toBeGreaterThan(10_000);
    await open(`#${address}`);
    await page.getByText(`There are ${count(all)} groups, and the page shows at most 10,000.`, { exact: false }).waitFor();
    expect(await page.locator('.grid, canvas').count()).toBe(0);
  });

  test('a fragment that is no view is the start, with a sentence', async () => {
    await openSeparately('#%E0%A4%A', { key: keys.nordProfessional });
    await page.getByText('The address of this page is not one of a view, so this is the start.').waitFor();
    await page.locator('.cards-list').first().waitFor();
    expect(await page.title()).toBe('Explore');
  });

  test('a wrong key and a table above the tier are explained', async () => {
    await openSeparately('', { key: 'est_nobody_wrong' });
    await page.getByText('This API key is not valid').waitFor();
    await openSeparately('#/operations/orders', { key: keys.nordBasic });
    await page.getByText('There is no such table for this key.').waitFor();
  });

  test.each([
    ['start', ''],
    ['rows', '#/operations/orders?where=status=closed'],
    ['groups', '#/operations/orders/groups?by=trade&count&sum=total_net'],
    ['pivot', '#/operations/orders/groups?by=trade,status&count&sum=total_net&pivot=status'],
    ['row', '#/property/properties?where=property_id=1001&show=row'],
    ['report', '#/contracts/service_contracts?columns=contract_number&report=contracts-to-cancel,2025-12-31'],
  ])('axe finds nothing and all fits: %s', async (state, fragment) => {
    await open(fragment);
    await page.locator('.cards-list, .grid tbody tr, .row-values').first().waitFor();
    await expect.poll(() => page.locator('.skeleton, [aria-busy=true]').count()).toBe(0);
    await expectClean(page, state, { given: appearances, picture: 'explore' });
  });

  test('the menu of a column is clean, too', async () => {
    await open('#/operations/orders');
    await openColumn('Status');
    await page.locator('.values label').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await closeMenu();
    await button('Columns').click();
    await page.locator('.menu-panel:popover-open summary').getByText('Computed column', { exact: true }).click();
    expect(await violationsOf(page)).toEqual([]);
  });
});
