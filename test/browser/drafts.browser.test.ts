/** The journey of a person without a shell: files without a source file become loaded rows, by answers on pages. */
import { utils, write } from '@e965/xlsx';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CustomerStore } from '../../src/access/customers.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { password } from '../portal/operator.ts';
import { zipOf } from '../sources/archives.ts';
import { folderWith, removeFolders } from '../sources/support.ts';
import type { TestService } from '../support/service.ts';
import { type Appearance, expectClean } from './accessibility.ts';
import { saveScreenshot } from './chromium.ts';
import { pagesOfService } from './pages.ts';

const pages = pagesOfService({ environment: { PORTAL_PASSWORD: password, RATE_LIMIT: '500' } });
const { newPage } = pages;
let service: TestService;
beforeAll(async () => {
  service = pages.service;
  const customers = new CustomerStore(service.database);
  for (const slug of ['roll', 'company', 'journal']) await customers.add(catalogue, { slug, name: slug, tier: 'enterprise' });
});

afterAll(removeFolders);

type Rows = readonly (readonly (string | number | null)[])[];

const workbook = (sheets: Readonly<Record<string, Rows>>): Buffer => {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(book, utils.aoa_to_sheet(rows as unknown[][]), name);
  return write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
};

const sum = (values: readonly number[]): string => values.reduce((total, value) => total + value, 0).toFixed(2);

const signIn = async (page: Page): Promise<Page> => {
  await page.goto('/portal');
  await page.getByLabel('Operator password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/portal');
  return page;
};

const seen: readonly Appearance[] = [
  [1280, 'light'],
  [390, 'dark'],
];

/** The page is clean in German and in English. The language is chosen by the keyboard. */
const expectCleanInBoth = async (page: Page, state: string, hasPicture = true): Promise<void> => {
  for (const [language, button] of [
    ['de', 'Deutsch'],
    ['en', 'English'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).press('Enter');
    await page.locator(`html[lang=${language}]`).waitFor();
    await expectClean(page, `${state} in ${language}`, { given: seen });
    if (hasPicture) await saveScreenshot(page, `portal-${state}-${language}`);
  }
};

/** Opens the page of the data, gives it files, and waits for their draft. */
const draft = async (page: Page, slug: string, give: () => Promise<unknown>, count = 1): Promise<void> => {
  await page.goto(`/portal/customers/${slug}/data`);
  await give();
  const input = page.locator('input[name=files]');
  await expect.poll(() => input.evaluate((one: HTMLInputElement) => one.files?.length)).toBe(count);
  await page.getByRole('button', { name: 'Check only' }).click();
  await page.getByRole('heading', { name: `Draft for ${slug}` }).waitFor();
};

/** Drops a file on the form. */
const drop = (page: Page, name: string, bytes: Buffer): Promise<void> =>
  page.locator('form[data-drop]').evaluate(
    (form, [fileName, text]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], fileName));
      for (const type of ['dragenter', 'drop']) form.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, bytes.toString('base64')] as const,
  );

/** What a person who knows the house says of required columns. */
const constants: Readonly<Record<string, string>> = {
  is_active: 'true',
  person_type_key: 'natural',
  status_key: 'active',
  tenant_type_key: 'residential',
  payment_interval_key: 'monthly',
  currency: 'EUR',
  balance: '0',
  property_type_key: 'residential',
  usage_type_key: 'apartment',
};

/** What a person says of DATEV: what a booking is, and which column is the property. */
const ofJournal: Readonly<Record<string, string>> = {
  ...constants,
  booking_type_key: 'transfer',
  status_key: 'posted',
  account_type_key: 'gl',
  is_collective_account: 'false',
  is_posting_allowed: 'true',
};
const columnsOfJournal: Readonly<Record<string, string>> = { property_id: 'KOST1 - Kostenstelle' };

/** Answers the first doubt by one click or one choice, until none is open. Returns the number of answers. */
const answerAll = async (page: Page, known = constants, columns: Readonly<Record<string, string>> = {}): Promise<number> => {
  for (let answers = 0; ; answers++) {
    const doubt = page.locator('.doubt').first();
    if ((await doubt.count()) === 0) return answers;
    const id = (await doubt.locator('input[name=doubt]').first().getAttribute('value')) ?? '';
    const target = id.replace('missing/', '');
    const [constant, column] = [known[target], columns[target]];
    const before = await page.locator('textarea[name=text]').inputValue();
    if (column !== undefined) {
      await doubt.locator('select[name=column]').selectOption(column);
      await doubt.getByRole('button', { name: 'Take the column' }).click();
    } else if (id.startsWith('missing/')) {
      expect([id, constant]).toEqual([id, expect.any(String)]);
      const form = doubt.locator('form').first();
      const button = form.getByRole('button', { name: constant!, exact: true });
      if ((await button.count()) > 0) await button.click();
      else {
        const list = form.locator('select');
        if ((await list.count()) > 0) await list.selectOption(constant!);
        else await form.locator('input[name=constant]').fill(constant!);
        await form.getByRole('button', { name: 'State the value' }).click();
      }
    } else await doubt.getByRole('button').first().click();
    await expect.poll(() => page.locator('textarea[name=text]').inputValue()).not.toBe(before);
  }
};

/** Checks and loads by the keyboard, and gives the text of the page of the load. */
const checkAndLoad = async (page: Page, hasPicture = false): Promise<string> => {
  await page.getByRole('button', { name: 'Check the files' }).press('Enter');
  await page.getByText('The files can be loaded.').waitFor();
  await expectCleanInBoth(page, 'draft-check', hasPicture);
  await page.getByRole('button', { name: 'Load', exact: true }).press('Enter');
  await page.getByRole('link', { name: 'Look at the rows in Explore' }).waitFor();
  return (await page.locator('main').textContent()) ?? '';
};

const figure = async (sql: string) => (await service.database.pool.query<{ figure: string }>(sql)).rows[0]?.figure;

test('a rent list with subtotals', async () => {
  const line = (property: string, unit: number, rent: number): Rows[number] => [
    property,
    `${property} 7`,
    '50674',
    'Köln',
    `W${unit}`,
    'Wohnung',
    50.5 + unit,
    unit % 3 === 0 ? 'Leerstand' : `Weber${unit}, Anna`,
    unit % 3 === 0 ? null : `${String(unit + 10)}.04.2020`,
    unit % 3 === 0 ? null : rent,
  ];
  const properties = ['Lindenstraße', 'Hafenweg'].map((name, at) =>
    Array.from({ length: 8 }, (_, index) => line(name, index + 1, 500 + at * 100 + index * 10.25)),
  );
  const header = ['Objekt', 'Adresse', 'PLZ', 'Ort', 'Einheit', 'Nutzung', 'Wohnfläche', 'Mieter', 'Mietbeginn', 'Nettokaltmiete'];
  const rentOf = (rows: Rows) => rows.map((row) => Number(row[9] ?? 0));
  const total = (rows: Rows) => ['Summe', null, null, null, null, null, null, null, null, Number(sum(rentOf(rows)))];
  const rows = properties.flatMap((of) => [...of, total(of)]);
  const page = await signIn(await newPage());
  const zip = zipOf([{ name: 'Mieterliste.xlsx', bytes: workbook({ Mieterliste: [header, ...rows] }) }]);
  await draft(page, 'roll', () => drop(page, 'Mieterliste.zip', zip));
  await expectCleanInBoth(page, 'draft');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);

  expect(await answerAll(page)).toBeLessThanOrEqual(10);
  await page.reload();
  await page.getByText('No doubt is open.').waitFor();
  expect(await checkAndLoad(page, true)).toContain('They are loaded.');
  const lets = properties.flat().filter((row) => row[7] !== 'Leerstand');
  expect(await figure('select count(*)::text as figure from customer_roll.floor_area')).toBe(String(properties.flat().length));
  expect(await figure('select count(*)::text as figure from customer_roll.tenancy_hdr')).toBe(String(lets.length));
  expect(
    await figure("select sum(net_amount)::text as figure from customer_roll.contract_condition where debit_type_key = 'basic_rent'"),
  ).toBe(sum(rentOf(lets)));
});

test('a housing company as one workbook', async () => {
  const properties = Array.from({ length: 4 }, (_, at) => [100 + at, `Haus ${at + 1}`, 'Seestraße', String(at + 1), '13353', 'Berlin']);
  const units = properties.flatMap(([property]) =>
    Array.from({ length: 6 }, (_, at) => [property!, at + 1, 'Wohnung', 50.25 + at, at === 5 ? 'Leerstand' : 'Vermietet']),
  );
  const tenants = Array.from({ length: 20 }, (_, at) => [
    5_001 + at,
    at % 2 ? 'Frau' : 'Herr',
    `Vorname${'abcdefghijklmnopqrst'[at]}`,
    `Name${'abcdefghijklmnopqrst'[at]}`,
  ]);
  const lets = units.filter((unit) => unit[4] === 'Vermietet');
  const contracts = lets.map(([property, unit], at) => [
    9_001 + at,
    property!,
    unit!,
    5_001 + at,
    'Aktiv',
    `${String(13 + (at % 12))}.05.2021`,
    1_000 + at,
  ]);
  const sheets = {
    Objekte: [['Objekt-Nr', 'Bezeichnung', 'Straße', 'Hausnr.', 'PLZ', 'Ort'], ...properties],
    Einheiten: [['Objekt-Nr', 'Einheit', 'Nutzungsart', 'Fläche in m²', 'Status'], ...units],
    Mieter: [['Mieter-Nr', 'Anrede', 'Vorname', 'Name'], ...tenants],
    Mietverträge: [['Vertrags-Nr', 'Objekt-Nr', 'Einheit', 'Mieter-Nr', 'Status', 'Vertragsbeginn', 'Kaution'], ...contracts],
  };
  const page = await signIn(await newPage({ viewport: { width: 390, height: 844 } }));
  const file = { name: 'Bestand.xlsx', mimeType: 'application/octet-stream', buffer: workbook(sheets) };
  await draft(page, 'company', () => page.locator('input[name=files]').setInputFiles(file));
  for (const name of Object.keys(sheets)) expect(await page.locator('main').textContent()).toContain(name);
  expect(await answerAll(page)).toBeLessThanOrEqual(10);
  expect(await checkAndLoad(page)).toContain('They are loaded.');
  for (const [table, rows] of [
    ['property_hdr', properties],
    ['floor_area', units],
    ['person', tenants],
    ['tenancy_hdr', contracts],
  ] as const)
    expect([table, await figure(`select count(*)::text as figure from customer_company.${table}`)]).toEqual([table, String(rows.length)]);
  expect(await figure('select sum(deposit_amount)::text as figure from customer_company.tenancy_hdr')).toBe(
    sum(contracts.map((contract) => Number(contract[6]))),
  );
});

/** A file of DATEV: the meta line, the header and the rows. */
const datev = (category: string, [from, to]: readonly [string, string], header: string, rows: readonly string[]): Buffer =>
  Buffer.from(
    [
      `"EXTF";700;${category};12;20240301093000000;;"RE";"";"";29098;55003;20240101;4;${from};${to};"";"WD";1;0;0;"EUR";;"";;;;;;`,
      header,
      ...rows,
      '',
    ].join('\r\n'),
    'latin1',
  );

test('a folder of DATEV', async () => {
  const accounts = [
    [1200, 'Bank'],
    [1400, 'Forderungen'],
    [4100, 'Instandhaltung'],
    [8105, 'Mieterlöse'],
  ] as const;
  const bookings = Array.from({ length: 48 }, (_, at) => ({
    amount: 400 + at * 12.35,
    side: at % 5 === 0 ? 'H' : 'S',
    account: at % 3 === 0 ? 1400 : 1200,
    contra: at % 4 === 0 ? 4100 : 8105,
    day: String((at % 28) + 1).padStart(2, '0'),
    property: at % 2 ? 7 : 12,
    month: at < 24 ? '01' : '02',
  }));
  const batch = (month: string, last: string): Buffer =>
    datev(
      '21;"Buchungsstapel"',
      [`2024${month}01`, `2024${month}${last}`],
      'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Konto;Gegenkonto (ohne BU-Schlüssel);Belegdatum;Belegfeld 1;Buchungstext;KOST1 - Kostenstelle;Generalumkehr (GU)',
      bookings
        .filter((booking) => booking.month === month)
        .map(
          ({ amount, side, account, contra, day, property }, at) =>
            `${amount.toFixed(2).replace('.', ',')};"${side}";"EUR";${account};${contra};${day}${month};"B-${month}${at}";"Buchung ${at}";"${property}";0`,
        ),
    );
  const page = await signIn(await newPage());
  const folder = folderWith({
    '.DS_Store': 'no file of the export',
    '2024/EXTF_Buchungsstapel_01.csv': batch('01', '31'),
    '2024/EXTF_Buchungsstapel_02.csv': batch('02', '29'),
    'EXTF_Kontenbeschriftungen.csv': datev(
      '20;"Kontenbeschriftungen"',
      ['', ''],
      'Konto;Kontenbeschriftung;SprachId',
      accounts.map(([number, name]) => `${number};"${name}";"de-DE"`),
    ),
    'objekte.csv': Buffer.from('Kostenstelle;Bezeichnung\n7;Seestraße 14\n12;Müllerhof\n', 'latin1'),
  });
  await draft(page, 'journal', () => page.locator('input[webkitdirectory]').setInputFiles(folder), 4);
  expect(await answerAll(page, ofJournal, columnsOfJournal)).toBeLessThanOrEqual(10);
  expect(await checkAndLoad(page)).toContain('They are loaded.');

  // The account of a row is on its side, and the contra account is on the other one.
  const isDebit = (side: string, isContra: boolean) => (side === 'S') !== isContra;
  const onBank = bookings.flatMap(({ amount, side, account }) => (account === 1200 ? [isDebit(side, false) ? amount : -amount] : []));
  const onRents = bookings.flatMap(({ amount, side, contra }) => (contra === 8105 ? [isDebit(side, true) ? amount : -amount] : []));
  for (const [number, amounts] of [
    [1200, onBank],
    [8105, onRents],
  ] as const) {
    await page.goto(
      `/portal/customers/journal/explore#/accounting/booking_positions/groups?by=account.account_number&sum=signed_amount&where=account.account_number=${number}`,
    );
    await page.reload();
    const row = page.locator('.grid tbody tr').first();
    await row.waitFor();
    expect((await row.textContent())?.replaceAll(/[,€\s]/g, '').replace('−', '-')).toContain(sum(amounts));
  }
});
