/** The search of GraphiQL's dialogs finds examples by everyday words, German and English, as the documentation's search does. */
import { expect, test } from 'vitest';
import { matchesQuery } from '../../src/web/browser/words/matches.ts';
import { questionInText } from '../../src/web/graphiql/example-text.ts';
import { examples } from '../../src/web/graphiql/examples.ts';

const found = (query: string): readonly string[] =>
  Object.entries(examples)
    .filter(([, text]) => matchesQuery(`${questionInText(text)} ${text}`, query))
    .map(([name]) => name);

test.each<[string, keyof typeof examples]>([
  ['Mietrückstand', 'arrears-per-property'],
  ['Mietrueckstand', 'arrears-per-property'],
  ['Mahnung', 'oldest-open-items'],
  ['Leerstand', 'vacancy-by-month'],
  ['Kaution', 'deposits-by-band'],
  ['Wartung', 'maintenance-per-sqm'],
  ['Handwerker', 'open-orders-per-creditor'],
  ['Nebenkosten', 'service-charge-recovery'],
  ['Kündigung', 'contracts-to-cancel'],
  ['Abschreibung', 'depreciation-by-year'],
  ['Umsatzsteuer', 'vat-by-rate'],
  ['overdue', 'arrears-by-age'],
  ['supplier', 'creditors-pareto'],
  ['invoices', 'orders-against-invoices'],
  ['apartment', 'property-units'],
])('%s finds %s', (query, name) => expect(found(query)).toContain(name));

test('a word that no example has finds nothing, and all words must match', () => {
  expect(found('Zebrastreifen')).toEqual([]);
  expect(found('Leerstand Kaution')).toEqual([]);
});
