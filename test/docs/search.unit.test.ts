/** The search of the documentation: what people type, and the page that answers it first. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { type Hit, openSearch } from '../../src/web/docs/search/search.ts';
import { SiteFiles } from '../../src/web/docs/site.ts';
import { limits } from './limits.ts';

const file = String((await new SiteFiles({ catalogue, limits }).find('search.json'))?.body.bytes);
const search = openSearch(file);

/** The query, and the beginning of the address that is found first. An address that ends with `$` is the whole page. */
const expected: readonly (readonly [query: string, address: string])[] = [
  // The guide, in English.
  ['excel', '/docs/spreadsheets'],
  ['power bi', '/docs/spreadsheets'],
  ['powerbi', '/docs/spreadsheets'],
  ['csv download', '/docs/spreadsheets'],
  ['delete', '/docs#reading-only'],
  ['write data', '/docs#reading-only'],
  ['how do I page', '/docs/paging'],
  ['pagniation', '/docs/paging'],
  ['cursor', '/docs/paging'],
  ['whole table', '/docs/paging#whole-tables'],
  ['rate limit', '/docs/limits'],
  ['quota', '/docs/limits'],
  ['timeout', '/docs/limits'],
  ['429', '/docs/errors'],
  ['401 unauthorized', '/docs/errors'],
  ['error codes', '/docs/errors'],
  ['sort order', '/docs/filters'],
  ['how do I get what changed since yesterday', '/docs/copy'],
  ['etag', '/docs/copy'],
  ['incremental load', '/docs/copy'],
  ['deleted rows', '/docs/copy#which-rows-changed'],
  ['api key', '/docs$'],
  ['authentication', '/docs$'],
  ['python', '/docs$'],
  ['filter', '/docs/filters'],
  ['filtr', '/docs/filters'],
  ['group by', '/docs/groups'],
  ['kpi', '/docs/groups'],
  ['average', '/docs/groups'],
  ['nested query', '/docs/graphql'],
  ['typescript client', '/docs/graphql#typed-clients'],
  ['release notes', '/docs/changelog'],
  ['swagger', '/docs/reference'],
  ['er diagram', '/docs/tables$'],
  ['glossary', '/docs/glossary$'],
  ['raw tables', '/docs/raw'],
  // The guide, in German.
  ['fehler', '/docs/errors'],
  ['löschen', '/docs#reading-only'],
  ['schluessel', '/docs$'],
  ['gruppieren', '/docs/groups'],
  ['blättern', '/docs/paging'],
  ['Rohdaten', '/docs/raw'],
  // Measures.
  ['arrears', '/docs/tables/tenants#measure-arrears'],
  ['arreas', '/docs/tables/tenants#measure-arrears'],
  ['Mietrückstände', '/docs/tables/tenants#measure-arrears'],
  ['Mietrueckstand', '/docs/tables/tenants#measure-arrears'],
  ['vacancy rate', '/docs/tables/property_structure#measure-vacancy_rate'],
  ['Leerstandsquote', '/docs/tables/property_structure#measure-vacancy_rate'],
  ['vacany', '/docs/tables/property_structure'],
  ['maintenance cost', '/docs/tables/orders#measure-maintenance_cost_per_sqm'],
  ['Instandhaltungskosten', '/docs/tables/orders#measure-maintenance_cost_per_sqm'],
  ['Fluktuation', '/docs/tables/contract_ends#measure-turnover_rate'],
  ['rent per m²', '/docs/tables/property_structure#measure-target_rent_per_sqm'],
  // Tables, columns, codes and terms.
  ['which columns has notifications', '/docs/tables/notifications$'],
  ['notificaton', '/docs/tables/notifications$'],
  ['Schadensmeldung', '/docs/tables/notifications$'],
  ['Mieter', '/docs/tables/tenants$'],
  ['tennants', '/docs/tables/tenants$'],
  ['lease', '/docs/tables/tenants$'],
  ['supplier', '/docs/tables/creditor$'],
  ['Lieferant', '/docs/tables/creditor$'],
  ['proprty', '/docs/tables/properties$'],
  ['eigentuemer', '/docs/tables/owner$'],
  ['Kündigung', '/docs/tables/contract_ends$'],
  ['budgets', '/docs/tables/budgets$'],
  ['Abschreibung', '/docs/tables/depreciation'],
  ['Buchungen', '/docs/tables/booking_'],
  ['journal', '/docs/tables/booking_'],
  ['Wartung', '/docs/tables/technical_objects$'],
  ['Aufträge', '/docs/tables/orders$'],
  ['Indexmiete', '/docs/tables/index_rent$'],
  ['total_net', '/docs/tables/orders#column-total_net'],
  ['totalNet', '/docs/tables/orders#column-total_net'],
  ['orders.retention_amount', '/docs/tables/orders#column-retention_amount'],
  ['iban', '/docs/tables/'],
  ['what does code 300 mean', '/docs/codes#din276-300'],
  ['what does code 30 mean', '/docs/codes'],
  ['Nettokaltmiete', '/docs/glossary#grundmiete'],
  ['Skonto', '/docs/glossary#skonto'],
  ['cost centre', '/docs/glossary#kostenstelle'],
];

/** Sixty everyday queries of all readers, written before the search was tuned for them. */
const everyday: readonly (readonly [query: string, address: string])[] = [
  // Integrators.
  ['timezone', '/docs$'],
  ['Zeitzone', '/docs$'],
  ['postman', '/docs/connect'],
  ['insomnia', '/docs/connect'],
  ['airbyte', '/docs/connect'],
  ['curl example', '/docs/connect'],
  ['whole table csv', '/docs/spreadsheets'],
  ['nightly export', '/docs/copy'],
  ['only new rows', '/docs/copy'],
  ['has data changed', '/docs/copy'],
  ['retry after', '/docs/limits'],
  ['503', '/docs/errors'],
  ['too many requests', '/docs/errors'],
  ['parquet', '/docs/files'],
  ['duckdb', '/docs/files'],
  ['sql', '/docs/connect'],
  ['pandas', '/docs/connect'],
  ['openapi', '/docs/reference'],
  ['null values', '/docs/filters'],
  ['date filter', '/docs/filters'],
  ['sort', '/docs/filters'],
  ['order by', '/docs/filters'],
  ['Sortierung', '/docs/filters'],
  ['join', '/docs/graphql'],
  ['nur bestimmte Spalten', '/docs/filters'],
  // Analysts.
  ['Nebenkosten', '/docs/analysts'],
  ['Mieterhöhung', '/docs/tables/index_rent'],
  ['Mieterliste', '/docs/analysts'],
  ['Leerstand', '/docs/tables/property_structure'],
  ['offene Posten', '/docs/analysts'],
  ['Rückstände', '/docs/analysts#arrears'],
  ['Betriebskostenabrechnung', '/docs/analysts'],
  ['Excel verbinden', '/docs/spreadsheets'],
  ['refresh excel', '/docs/spreadsheets'],
  ['google sheets', '/docs/spreadsheets'],
  ['dashboard', '/docs/spreadsheets'],
  ['chart', '/docs/explore'],
  ['pivot', '/docs/explore'],
  ['chatgpt', '/docs/agents'],
  ['claude', '/docs/agents'],
  ['mcp', '/docs/agents'],
  ['rent roll', '/docs/analysts'],
  ['save a query', '/docs/questions'],
  ['gespeicherte Abfrage', '/docs/questions'],
  ['monthly report', '/docs/questions'],
  // Frontend developers.
  ['react', '/docs/graphql'],
  ['apollo', '/docs/graphql'],
  ['typescript', '/docs/connect'],
  ['CORS', '/docs/administration'],
  ['generated types', '/docs/graphql'],
  ['infinite scroll', '/docs/paging'],
  ['nested filter', '/docs/filters'],
  // Operators.
  ['backup', '/docs/administration#restoring-a-backup'],
  ['restore', '/docs/operating'],
  ['rotate key', '/docs/administration'],
  ['revoke key', '/docs/administration'],
  ['load csv', '/docs/load-your-export'],
  ['import datev', '/docs/load-your-export'],
  ['redis', '/docs/operating'],
  ['prometheus', '/docs/operating'],
];

/** Words of operators, ideas of two words, and questions in German. */
const fresh: readonly (readonly [query: string, address: string])[] = [
  ['docker', '/docs/operating'],
  ['container', '/docs/operating'],
  ['kubernetes', '/docs/operating'],
  ['how to install', '/docs/operating'],
  ['Datensicherung', '/docs/operating'],
  ['https certificate', '/docs/operating'],
  ['memory usage', '/docs/operating'],
  ['data protection', '/docs/administration'],
  ['Datenschutz', '/docs/administration'],
  ['password', '/docs/administration'],
  ['audit log', '/docs/administration'],
  ['encoding', '/docs/load-your-export'],
  ['Zeichensatz', '/docs/load-your-export'],
  ['quarantine', '/docs/load-your-export'],
  ['wie lade ich meine daten', '/docs/load-your-export'],
  ['wie verbinde ich das mit excel', '/docs/spreadsheets'],
  ['webhook signature', '/docs/webhooks'],
  ['null and absent values', '/docs/graphql'],
  ['open items', '/docs/analysts'],
  ['vacant units', '/docs/tables/property_structure'],
];

const isAt = (wanted: string, hit: Hit | undefined): boolean =>
  wanted.endsWith('$') ? hit?.address === wanted.slice(0, -1) : (hit?.address.startsWith(wanted) ?? false);

describe('what people type', () => {
  test('is answered by the expected page first', () => {
    const wrong = expected
      .map(([query, wanted]) => [query, wanted, search(query)[0]] as const)
      .filter(([, wanted, hit]) => !isAt(wanted, hit))
      .map(([query, wanted, hit]) => `${query}: ${hit?.address} instead of ${wanted}`);
    expect(wrong).toEqual([]);
  });

  test('every day leads to an expected page at once', () => {
    expect(everyday).toHaveLength(60);
    const wrong = everyday.filter(([query, wanted]) => !isAt(wanted, search(query)[0])).map(([query]) => query);
    // Each leads to a page about a table, a server or GraphQL, and has the expected page below.
    expect(wrong).toEqual(['sql', 'null values', 'order by']);
  });

  test('about operating, in two words or in German sentences has its page first', () => {
    expect(fresh.filter(([query, wanted]) => !isAt(wanted, search(query)[0])).map(([query]) => query)).toEqual([]);
  });

  test('is shown with the sentence that matches, and with the words that were found in it', () => {
    const [hit] = search('delete');
    expect(hit?.sentence).toEqual([
      'You cannot write, create, update or ',
      'delete',
      ' anything through it: POST, PUT, PATCH and ',
      'DELETE',
      ' are a 405.',
    ]);
    expect(search('excel refresh')[0]?.sentence.filter((_, at) => at % 2 === 1)).not.toEqual([]);
  });

  test('without a word, or with words that nothing has, finds nothing', () => {
    for (const query of ['', '  ', '?!', 'xyzzyx']) expect([query, search(query)]).toEqual([query, []]);
  });

  test('with idle words alone is still compared', () => {
    expect(search('from').length).toBeGreaterThan(0);
  });

  test('of ten thousand characters is answered', () => {
    expect(search('arrears '.repeat(1_250)).length).toBeGreaterThan(0);
  });

  test('takes an index of at most 110 KB, compressed', () => {
    expect(gzipSync(file).length).toBeLessThan(110_000);
  });

  test('is found while it is typed', () => {
    for (const query of ['arr', 'arre', 'arrea', 'exce', 'Leerst', 'tena']) expect(search(query).length, query).toBeGreaterThan(0);
    for (const [query, wanted] of [
      ['arrea', '/docs/tables/tenants#measure-arrears'],
      ['tenan', '/docs/tables/tenants'],
      ['pagin', '/docs/paging'],
    ] as const)
      expect(search(query)[0]?.address).toMatch(new RegExp(`^${wanted}`));
  });
});
