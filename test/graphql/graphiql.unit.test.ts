/** The page of GraphiQL: answers as tables, CSV and charts, REST requests, links, history (contract: GraphiQL). */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { fittingAxes, suggestAxes } from '../../src/web/browser/axes.ts';
import { sumOf } from '../../src/web/browser/decimals.ts';
import { Figure, parseExact } from '../../src/web/browser/exact.ts';
import { type List, textOf } from '../../src/web/browser/list.ts';
import { chartData } from '../../src/web/browser/series.ts';
import { shownText } from '../../src/web/browser/values.ts';
import { columnLabels } from '../../src/web/graphiql/column-labels.ts';
import { examples, exampleView } from '../../src/web/graphiql/examples.ts';
import { forget, pastOperations, remember } from '../../src/web/graphiql/studio/operations/history.ts';
import { fragmentOf, operationIn, viewOf } from '../../src/web/graphiql/studio/operations/link.ts';
import { answerOf, errorsIn, keepAnswer } from '../../src/web/graphiql/studio/response/answers.ts';
import { csvOf, germanForm } from '../../src/web/graphiql/studio/response/csv.ts';
import { fieldNamesOf } from '../../src/web/graphiql/studio/response/field-names.ts';
import { labelOf } from '../../src/web/graphiql/studio/response/language.ts';
import { nextOrder, ordered, totalsOf } from '../../src/web/graphiql/studio/response/order.ts';
import { unfold } from '../../src/web/graphiql/studio/response/unfold.ts';
import { codeOf } from '../../src/web/graphiql/studio/rest/code.ts';
import { type View, viewIn, viewParameters } from '../../src/web/graphiql/studio/view.ts';

const listsOf = (text: string) => unfold(parseExact(text));
/** Cells as text, with the columns as the first row. */
const gridOf = (list: List | undefined) => [list?.columns, ...(list?.rows ?? []).map((row) => row.map(textOf))];

const groups = `{"ordersGroups": {"totalCount": 3, "groups": [
  {"key": {"trade": "plumbing", "tradeLabel": "Sanitär", "orderDate": "2025-01-01", "property": {"name": "Haus \\"A\\", Köln"}},
   "count": 12, "sum": {"totalNet": 12345678901234567.10}, "avg": {"totalNet": 1.50}, "measures": {"offerDeviation": null}},
  {"key": {"trade": null, "tradeLabel": null, "orderDate": "2025-04-01", "property": null},
   "count": 1, "sum": {"totalNet": -0.00}, "avg": {"totalNet": 2e3}, "measures": {"offerDeviation": 0.10}}
], "pageInfo": {"hasNextPage": true}}}`;

describe('an answer as tables', () => {
  test('groups become a column for each key and aggregate, with the digits of the answer', () => {
    const [list] = listsOf(groups);
    expect([list?.name, list?.total]).toEqual(['ordersGroups', '3']);
    expect(gridOf(list)).toEqual([
      [
        'key.trade',
        'key.tradeLabel',
        'key.orderDate',
        'key.property.name',
        'count',
        'sum.totalNet',
        'avg.totalNet',
        'measures.offerDeviation',
      ],
      ['plumbing', 'Sanitär', '2025-01-01', 'Haus "A", Köln', '12', '12345678901234567.10', '1.50', ''],
      ['', '', '2025-04-01', '', '1', '-0.00', '2e3', '0.10'],
    ]);
  });

  test('nodes and edges are rows, whatever the alias of the connection is', () => {
    const lists = listsOf(`{"mine": {"edges": [{"cursor": "c1", "node": {"orderId": 1}}]}, "orders": {"nodes": [{"orderId": 2}]}}`);
    expect(lists.map(({ name }) => name)).toEqual(['mine', 'orders']);
    expect(lists.map(gridOf)).toEqual([
      [
        ['cursor', 'orderId'],
        ['c1', '1'],
      ],
      [['orderId'], ['2']],
    ]);
  });

  test('a relation that is null in the first rows has its columns at its place', () => {
    const [list] = listsOf(
      `{"orders": {"nodes": [{"id": 1, "offer": null, "date": "d"}, {"id": 2, "offer": {"value": 5.00}, "date": "e"}]}}`,
    );
    expect(gridOf(list)).toEqual([
      ['id', 'offer.value', 'date'],
      ['1', '', 'd'],
      ['2', '5.00', 'e'],
    ]);
  });

  test('lists in rows are separate tables, after the columns of their parents', () => {
    const lists = listsOf(`{"properties": {"nodes": [
      {"id": 1, "units": {"totalCount": 2, "nodes": [{"area": 10.0}, {"area": 20.5}]}},
      {"id": 2, "units": {"totalCount": 0, "nodes": []}}]}}`);
    expect(lists.map((list) => [list.name, ...gridOf(list)])).toEqual([
      ['properties', ['id', 'units.totalCount'], ['1', '2'], ['2', '0']],
      ['properties.units', ['properties.id', 'properties.units.totalCount', 'area'], ['1', '2', '10.0'], ['1', '2', '20.5']],
    ]);
  });

  test('plain lists, single rows and lists of strings', () => {
    const lists = listsOf(`{"catalog": [{"category": "property", "tables": ["a", "b"]}], "orderById": {"orderId": 7}, "nobody": null}`);
    expect(lists.map((list) => [list.name, gridOf(list)])).toEqual([
      [
        'catalog',
        [
          ['category', 'tables'],
          ['property', 'a, b'],
        ],
      ],
      ['orderById', [['orderId'], ['7']]],
    ]);
  });

  test('an empty list is a table without columns, and another answer is no table', () => {
    expect(gridOf(listsOf('{"orders": {"totalCount": 0, "nodes": []}}')[0])).toEqual([[]]);
    expect(listsOf('null')).toEqual([]);
  });

  test('digits in texts are not numbers', () => {
    expect(gridOf(listsOf(String.raw`{"a": [{"text": "1.50 \" 2.50", "number": 1.50}]}`)[0])).toEqual([
      ['text', 'number'],
      ['1.50 " 2.50', '1.50'],
    ]);
  });
});

test('CSV follows RFC 4180: quotes where needed, CRLF, unchanged digits, null distinct from an empty text', () => {
  const [list] = listsOf(
    `{"rows": [{"a,b": "x,y", "c": "say \\"hi\\"", "d": "two\\nlines", "e": 10.00}, {"a,b": null, "c": "", "d": "ü", "e": -0.10}]}`,
  );
  expect(csvOf(list as List)).toBe('"a,b",c,d,e\r\n"x,y","say ""hi""","two\nlines",10.00\r\n,"",ü,-0.10\r\n');
});

test('German CSV has semicolons, decimal commas, German names and a byte order mark', () => {
  const [list] = listsOf(
    `{"rows": [{"a": "x;y", "b": "x,y", "c": 1234.50, "d": null, "e": ""}, {"a": "-1.5", "b": "=1", "c": -0.10, "d": true, "e": "z"}]}`,
  );
  expect(
    csvOf(
      list as List,
      germanForm((column) => `Spalte ${column}`),
    ),
  ).toBe('\uFEFFSpalte a;Spalte b;Spalte c;Spalte d;Spalte e\r\n"x;y";x,y;1234,50;;""\r\n\'-1.5;\'=1;-0,10;true;z\r\n');
});

test('in CSV, text that a spreadsheet would execute begins with an apostrophe; numbers do not change', () => {
  const texts = ['=HYPERLINK("http://evil.example")', '+1', '-12.50', '@SUM(A1)', '\tx', '\rx', 'a=b', ' =1'];
  const [list] = listsOf(JSON.stringify({ rows: texts.map((text) => ({ text, number: -12.5 })) }).replaceAll('-12.5}', '-12.50}'));
  const rows: Record<string, string>[] = parse(csvOf(list as List), { columns: true });
  expect(rows.map(({ text }) => text)).toEqual([
    `'=HYPERLINK("http://evil.example")`,
    "'+1",
    "'-12.50",
    "'@SUM(A1)",
    "'\tx",
    "'\rx",
    'a=b',
    ' =1',
  ]);
  expect(new Set(rows.map(({ number }) => number))).toEqual(new Set(['-12.50']));
});

describe('a chart is suggested', () => {
  const suggested = (text: string) => suggestAxes(listsOf(text)[0] as List);

  test('as a line over a bucket', () => expect(suggested(groups)).toEqual({ x: 'key.orderDate', y: 'sum.totalNet', kind: 'line' }));
  test('as bars over names that begin like a date', () => {
    const row = (name: string) => `{"key": {"costCenterId": "${name}"}, "count": 1}`;
    expect(suggested(`{"g": {"groups": [${row('1001-10')}, ${row('1001-80')}, ${row('2025-13-45')}]}}`)).toEqual({
      x: 'key.costCenterId',
      y: 'count',
      kind: 'bar',
    });
  });
  test('as a line over the days of a series, with a line for each value of a key, but not over a single day', () => {
    const row = (day: string, unit: number) => `{"asOf": "${day}", "key": {"propertyId": ${unit}}, "count": 1}`;
    const series = `{"g": {"groups": [${row('2025-01-31', 1)}, ${row('2025-01-31', 2)}, ${row('2025-02-28', 1)}]}}`;
    expect(suggested(series)).toEqual({ x: 'asOf', y: 'count', series: 'key.propertyId', kind: 'line' });
    const oneDay = `{"g": {"groups": [${row('2025-01-31', 1)}, ${row('2025-01-31', 2)}]}}`;
    expect(suggested(oneDay)).toEqual({ x: 'key.propertyId', y: 'count', kind: 'bar' });
  });
  test('as bars over the key with the most values, if there are several keys', () => {
    const row = (property: number, contract: string) =>
      `{"key": {"propertyId": ${property}, "isActive": true, "contractNumber": "${contract}"}, "count": 1}`;
    expect(suggested(`{"g": {"groups": [${row(1, 'c1')}, ${row(1, 'c2')}, ${row(2, 'c3')}]}}`)?.x).toBe('key.contractNumber');
  });
  test('as bars by a label', () =>
    expect(suggested('{"g": {"groups": [{"key": {"trade": "p", "tradeLabel": "P"}, "count": 1, "sum": {"net": 2}}]}}')).toEqual({
      x: 'key.tradeLabel',
      y: 'sum.net',
      kind: 'bar',
    }));
  test('of counts if there is no other value', () =>
    expect(suggested('{"g": {"groups": [{"key": {"propertyId": 1}, "count": 1}]}}')).toEqual({
      x: 'key.propertyId',
      y: 'count',
      kind: 'bar',
    }));
  test('but not of texts', () => expect(suggested('{"rows": [{"name": "a"}]}')).toBeUndefined());
});

const twoKeys = `{"g": {"groups": [
  {"key": {"trade": "p", "tradeLabel": "Plumbing", "property": {"propertyId": 1, "propertyName": "A"}}, "count": 2, "sum": {"totalNet": 1.10}},
  {"key": {"trade": "r", "tradeLabel": "Roof", "property": {"propertyId": 1, "propertyName": "A"}}, "count": 1, "sum": {"totalNet": 2.20}},
  {"key": {"trade": "p", "tradeLabel": "Plumbing", "property": {"propertyId": 2, "propertyName": "B"}}, "count": 9, "sum": {"totalNet": 3.05}},
  {"key": {"trade": "p", "tradeLabel": "Plumbing", "property": {"propertyId": 3, "propertyName": "C"}}, "count": 9, "sum": {"totalNet": null}}]}}`;

describe('a chart of two keys', () => {
  const listOf = (text: string) => listsOf(text)[0] as List;

  test('is stacked for sums, grouped for other values, and a line over time', () => {
    expect(suggestAxes(listOf(twoKeys))).toEqual({
      x: 'key.property.propertyName',
      y: 'sum.totalNet',
      series: 'key.tradeLabel',
      kind: 'stacked',
    });
    expect(suggestAxes(listOf(twoKeys.replaceAll('"sum"', '"measures"')))?.kind).toBe('grouped');
    const overTime = `{"g": {"groups": [{"key": {"orderDate": "2025-01-01", "trade": "p"}, "count": 1}]}}`;
    expect(suggestAxes(listOf(overTime))).toEqual({ x: 'key.orderDate', y: 'count', series: 'key.trade', kind: 'line' });
  });

  test('has a value or a gap for each place of each series', () => {
    const list = listOf(twoKeys);
    const axes = suggestAxes(list)!;
    const { series, places, omitted } = chartData(list, axes, 'English');
    expect([places, omitted]).toEqual([3, '']);
    expect(series.map(({ label, points }) => [label, points.map(({ text }) => text)])).toEqual([
      ['Plumbing', ['1.10', '3.05', '']],
      ['Roof', ['2.20', '', '']],
    ]);
  });

  test('over time has no place for rows without a day, and says so', () => {
    const row = (day: string, trade: string) => `{"key": {"endDate": ${day}, "trade": "${trade}"}, "count": 1}`;
    const list = listOf(`{"g": {"groups": [${row('"2025-01-01"', 'p')}, ${row('null', 'p')}, ${row('null', 'r')}]}}`);
    const axes = { x: 'key.endDate', y: 'count', kind: 'line' } as const;
    for (const data of [chartData(list, axes, 'English'), chartData(list, { ...axes, series: 'key.trade' }, 'English')]) {
      expect(data.series.flatMap(({ points }) => points.map(({ at }) => at))).toEqual(['2025-01-01']);
      expect([data.places, data.omitted]).toEqual([1, 'Left out without a day: 2.']);
    }
  });

  test('has at most eight series and says so', () => {
    const group = (at: number) => `{"key": {"trade": "t${at}", "status": "s"}, "count": ${at}}`;
    const list = listOf(`{"g": {"groups": [${Array.from({ length: 10 }, (_, at) => group(at)).join()}]}}`);
    const data = chartData(list, { x: 'key.status', y: 'count', series: 'key.trade', kind: 'stacked' }, 'English');
    expect(data.series.map(({ label }) => label)).toEqual(['t2', 't3', 't4', 't5', 't6', 't7', 't8', 't9']);
    expect(data.omitted).toBe('The 8 largest of 10 series.');
  });

  test('keeps the axes of the reader only for a list that has them', () => {
    const list = listOf(twoKeys);
    const axes = { x: 'key.trade', y: 'count', kind: 'grouped', series: 'key.status' } as const;
    expect(fittingAxes(list, axes)).toEqual({ x: 'key.trade', y: 'count', kind: 'grouped' });
    expect(fittingAxes(list, { ...axes, y: 'sum.totalGross' })).toBeUndefined();
  });
});

describe('names and formats', () => {
  const labels = columnLabels(catalogue);

  test.each([
    ['key.tradeLabel', 'Trade', 'Gewerk'],
    ['key.property.propertyName', 'Property name', 'Objektname'],
    ['key.property.federalState', 'Property: Federal state', 'Objekt: Bundesland'],
    ['sum.totalNet', 'Total net (Sum)', 'Gesamtbetrag netto (Summe)'],
    ['measures.arrears', 'Rent arrears', 'Mietrückstände'],
    ['areaSqm', 'Area m²', 'Fläche in m²'],
    ['count', 'Count', 'Anzahl'],
    ['asOf', 'As of', 'Stichtag'],
    ['share', 'Share', 'Anteil in Prozent'],
    ['ownName', 'Own name', 'Own name'],
    ['constructor', 'Constructor', 'Constructor'],
  ])('the label of %s', (column, english, german) => {
    expect([labelOf(column, 'English', labels), labelOf(column, 'Deutsch', labels)]).toEqual([english, german]);
    expect(labelOf(column, 'As sent', labels)).toBe(column);
  });

  test('numbers keep all digits, identifiers have no separators, and dates follow the language', () => {
    const figure = new Figure('12345678901234567.10');
    expect(shownText(figure, 'sum.totalNet', 'English')).toBe('12,345,678,901,234,567.10');
    expect(shownText(figure, 'sum.totalNet', 'Deutsch')).toBe('12.345.678.901.234.567,10');
    expect(shownText(figure, 'sum.totalNet', 'As sent')).toBe('12345678901234567.10');
    expect(shownText(new Figure('10001'), 'propertyId', 'English')).toBe('10001');
    expect(shownText('2025-03-09', 'orderDate', 'Deutsch')).toBe('09.03.2025');
    expect(shownText('2025-03-09', 'orderDate', 'English')).toBe('9 Mar 2025');
    expect([shownText(true, 'isActive', 'Deutsch'), shownText(null, 'isActive', 'Deutsch')]).toEqual(['ja', '']);
  });

  test('sums are exact, and only columns that can be added have one', () => {
    expect([sumOf(['0.1', '0.20', '-5']), sumOf(['-0.05', '0.01']), sumOf(['9007199254740993', '1'])]).toEqual([
      '-4.70',
      '-0.04',
      '9007199254740994',
    ]);
    const [groupList] = listsOf(twoKeys);
    expect(totalsOf(groupList!, labels)?.map((total) => total?.text)).toEqual([undefined, undefined, undefined, undefined, '21', '6.35']);
    const [rows] = listsOf(
      '{"rows": [{"orderId": 1, "totalNet": 1.5, "vatRate": 19, "areaSqm": 2}, {"orderId": 2, "totalNet": 2, "vatRate": 7, "areaSqm": 3}]}',
    );
    expect(totalsOf(rows!, labels)?.map((total) => total?.text)).toEqual([undefined, '3.5', undefined, '5']);
    const [averages] = listsOf('{"g": {"groups": [{"avg": {"totalNet": 1}}, {"avg": {"totalNet": 2}}]}}');
    expect(totalsOf(averages!, labels)).toBeUndefined();
  });

  test('measures have a sum if they are additive, and a series has none', () => {
    const rows = (more = '') =>
      listsOf(`{"g": {"groups": [
        {"measures": {"arrears": 1.50, "arrearsRatio": 2}${more}}, {"measures": {"arrears": 0.25, "arrearsRatio": 3}${more}}]}}`)[0]!;
    expect(totalsOf(rows(), labels)?.map((total) => total?.text)).toEqual(['1.75', undefined]);
    expect(totalsOf(rows(', "asOf": "2025-01-31"'), labels)).toBeUndefined();
    const fieldNames = fieldNamesOf({
      query: '{ g: tenantsGroups(asOf: {}) { groups { day: asOf measures { arrears arrearsRatio } } } }',
      variables: '',
      operationName: undefined,
    });
    expect(totalsOf(rows(', "day": "2025-01-31"'), labels, fieldNames)).toBeUndefined();
  });

  test('sums depend on fields, not on their aliases', () => {
    const query = `query Q { g: ordersGroups { groups { ...Values } } }
      fragment Values on OrderGroup { key { trade } open: count(filter: {}) areaSqm: sumOnce(of: {}) totalNet: ratio(of: {}, to: {})
        net: sum(filter: {}) { totalNet } mean: avg { totalNet } } `;
    const row = '{"key": {"trade": "a"}, "open": 1, "areaSqm": 2, "totalNet": 3, "net": {"totalNet": 4}, "mean": {"totalNet": 5}}';
    const operation = { query, variables: '', operationName: undefined };
    keepAnswer(operation, `{"data": {"g": {"groups": [${row}, ${row}]}}}`);
    const { data, fieldNames } = answerOf(JSON.stringify({ data: { g: { groups: [JSON.parse(row), JSON.parse(row)] } } }, null, 2))!;
    const [list] = unfold(data);
    const totals = totalsOf(list!, labels, fieldNames)?.map((total) => total?.text);
    expect(list?.columns).toEqual(['key.trade', 'open', 'areaSqm', 'totalNet', 'net.totalNet', 'mean.totalNet']);
    // `totalNet` is the name of two fields here.
    expect(totals).toEqual([undefined, '2', undefined, undefined, undefined, undefined]);
  });

  test('a name of one field only has a sum, also if it is an alias', () => {
    const query = '{ ordersGroups { groups { part: count net: sum(filter: {}) { totalNet } areaSqm: sumOnce(of: {}) sumOnce(of: {}) } } }';
    const fieldNames = fieldNamesOf({ query, variables: '', operationName: undefined });
    const row = '{"part": 1, "net": {"totalNet": 4}, "areaSqm": 2, "sumOnce": 2}';
    const [list] = listsOf(`{"ordersGroups": {"groups": [${row}, ${row}]}}`);
    expect(totalsOf(list!, labels, fieldNames)?.map((total) => total?.text)).toEqual(['2', '8', undefined, undefined]);
    // Without the operation, the alias could be the area of a row.
    expect(totalsOf(list!, labels)?.map((total) => total?.text)).toEqual([undefined, undefined, '4', undefined]);
  });

  test('rows are sorted by all digits or by the rules of the language, with nulls last', () => {
    const [list] = listsOf(
      '{"r": [{"n": 9007199254740993, "t": "Zoo"}, {"n": 9007199254740992, "t": "Ähre"}, {"n": null, "t": null}, {"n": -1.5, "t": "b10"}, {"n": 10, "t": "b9"}]}',
    );
    const sorted = (column: string, isDescending: boolean) =>
      ordered(list!, { column, isDescending }, 'de-DE').map((row) => textOf(row[list!.columns.indexOf(column)] ?? null));
    expect(sorted('n', false)).toEqual(['-1.5', '10', '9007199254740992', '9007199254740993', '']);
    expect(sorted('n', true)).toEqual(['9007199254740993', '9007199254740992', '10', '-1.5', '']);
    expect(sorted('t', false)).toEqual(['Ähre', 'b9', 'b10', 'Zoo', '']);
    const up = nextOrder(undefined, 'n');
    const down = nextOrder(up, 'n');
    expect([up, down, nextOrder(down, 'n')]).toEqual([
      { column: 'n', isDescending: false },
      { column: 'n', isDescending: true },
      undefined,
    ]);
  });
});

describe('a link to a view', () => {
  const operation = { query: '{ a }', variables: '', operationName: undefined };

  test.each<View>([
    { name: 'Chart', list: 'orders', axes: { x: 'key.a', y: 'count', kind: 'stacked', series: 'key.b' }, language: 'Deutsch' },
    { name: 'Table', order: { column: 'sum.totalNet', isDescending: true } },
    { name: 'REST' },
  ])('restores $name', (view) => {
    const fragment = fragmentOf(operation, view);
    expect(operationIn(fragment)).toEqual(operation);
    expect(viewOf(fragment)).toEqual(view);
  });

  test('has no view for JSON, and ignores unknown values', () => {
    expect(viewParameters({ name: 'JSON', list: 'orders' })).toEqual({});
    expect(viewIn(new URLSearchParams('view=Else&kind=pie&x=a&y=b&language=fr'))).toEqual({ name: 'JSON' });
  });
});

test('a link restores the operation from its fragment', () => {
  const operation = {
    query: '{ orders(filter: { subject: { eq: "ä & #+%" } }) { totalCount } }',
    variables: '{"a": "b c"}',
    operationName: 'Q',
  };
  const fragment = fragmentOf(operation);
  expect(fragment).toMatch(/^#query=/);
  expect(operationIn(fragment)).toEqual(operation);
  expect(operationIn('#content')).toBeUndefined();
});

describe('history', () => {
  const storeOf = (entries = new Map<string, string>()) => ({
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  });
  const at = new Date('2026-01-01T00:00:00Z');
  const operation = (query: string) => ({ query, variables: '', operationName: undefined });

  test('newest first, without duplicates, at most 50, and no long entries', () => {
    const store = storeOf();
    for (let index = 0; index < 60; index++) remember(store, operation(`{ q${index} }`), at);
    remember(store, operation('{ q30 }'), at);
    remember(store, operation('x'.repeat(20_001)), at);
    const queries = pastOperations(store).map(({ query }) => query);
    expect([queries.length, queries[0], queries[1], new Set(queries).size]).toEqual([50, '{ q30 }', '{ q59 }', 50]);
    forget(store);
    expect(pastOperations(store)).toEqual([]);
  });

  test('invalid or full storage causes no error', () => {
    for (const text of ['{', '[1, {"query": 2}]', '"x"']) expect(pastOperations({ ...storeOf(), getItem: () => text })).toEqual([]);
    const full = {
      ...storeOf(),
      setItem: () => {
        throw new Error('full');
      },
    };
    expect(() => remember(full, operation('{ a }'), at)).not.toThrow();
  });
});

test('code contains only the selected one of several operations', () => {
  const query = 'query A { ...F }\nquery B { catalog { category } }\nfragment F on Query { rateLimit { limit } }';
  const code = codeOf('fetch', { query, variables: '', operationName: 'B' }, 'https://x/graphql');
  expect(code).toContain('query B');
  expect(code).not.toMatch(/query A|fragment F/);
});

test('every example opens in the view that it names, by default the table; another document has none', () => {
  for (const query of Object.values(examples)) {
    const [, named = 'Table'] = /^# *View: *(.*)$/im.exec(query) ?? [];
    expect(exampleView(query)).toBe(named);
  }
  expect(exampleView(examples['vacancy-by-month'])).toBe('Chart');
  expect(exampleView('# View: Chart\n{ catalog { category } }')).toBeUndefined();
});

test('the errors of a response have their messages', () => {
  expect(errorsIn('{"data": null, "errors": [{"message": "No."}, {}]}')).toEqual(['No.', 'The service did not answer.']);
  for (const shown of ['{"data": {}}', 'no JSON']) expect(errorsIn(shown)).toEqual([]);
});
