/** The page of GraphiQL: the first list of an answer as a table, links, code (contract: GraphiQL). */
import { describe, expect, test } from 'vitest';
import { parseExact } from '../../src/web/browser/exact.ts';
import { textOf } from '../../src/web/browser/list.ts';
import { examples, exampleView } from '../../src/web/graphiql/examples.ts';
import { operationFragment, operationIn, viewOf } from '../../src/web/graphiql/studio/operations/link.ts';
import { dataOf, errorsIn, keepAnswer } from '../../src/web/graphiql/studio/response/answers.ts';
import { firstList } from '../../src/web/graphiql/studio/response/first-list.ts';
import { codeOf } from '../../src/web/graphiql/studio/rest/code.ts';
import type { ViewName } from '../../src/web/graphiql/view-names.ts';

/** Cells as text, with the columns as the first row. */
const gridOf = (text: string) => {
  const list = firstList(parseExact(text));
  return list && [list.columns, ...list.rows.map((row) => row.map(textOf))];
};

describe('the first list of an answer', () => {
  test('of groups has a column for each key and aggregate, with the digits of the answer', () => {
    const groups = `{"ordersGroups": {"totalCount": 3, "groups": [
      {"key": {"trade": "plumbing", "orderDate": "2025-01-01", "property": {"name": "Haus \\"A\\", Köln"}},
       "count": 12, "sum": {"totalNet": 12345678901234567.10}, "measures": {"offerDeviation": null}},
      {"key": {"trade": null, "orderDate": "2025-04-01", "property": null},
       "count": 1, "sum": {"totalNet": -0.00}, "measures": {"offerDeviation": 0.10}}
    ], "pageInfo": {"hasNextPage": true}}}`;
    expect(gridOf(groups)).toEqual([
      ['key.trade', 'key.orderDate', 'key.property.name', 'count', 'sum.totalNet', 'measures.offerDeviation'],
      ['plumbing', '2025-01-01', 'Haus "A", Köln', '12', '12345678901234567.10', ''],
      ['', '2025-04-01', '', '1', '-0.00', '0.10'],
    ]);
  });

  test('has the name of its field, and edges are rows after their cursors', () => {
    const text = '{"mine": {"edges": [{"cursor": "c1", "node": {"orderId": 1}}]}, "orders": {"nodes": [{"orderId": 2}]}}';
    expect(firstList(parseExact(text))?.name).toBe('mine');
    expect(gridOf(text)).toEqual([
      ['cursor', 'orderId'],
      ['c1', '1'],
    ]);
  });

  test('leaves out lists within rows, and a relation that is null in the first rows has its columns', () => {
    expect(
      gridOf('{"a": {"nodes": [{"id": 1, "offer": null, "units": [{"n": 1}]}, {"id": 2, "offer": {"name": "x"}, "units": []}]}}'),
    ).toEqual([
      ['id', 'offer.name'],
      ['1', ''],
      ['2', 'x'],
    ]);
  });

  test('can be a plain list, a single row or a list of texts; an answer without fields has none', () => {
    expect(gridOf('{"catalog": [{"category": "a"}]}')).toEqual([['category'], ['a']]);
    expect(gridOf('{"order": {"orderId": 5}}')).toEqual([['orderId'], ['5']]);
    expect(gridOf('{"names": ["a", "b"]}')).toEqual([['value'], ['a'], ['b']]);
    expect(gridOf('{"orders": {"nodes": []}}')).toEqual([[]]);
    expect([gridOf('null'), gridOf('{"order": null}')]).toEqual([undefined, undefined]);
  });

  test('has the digits of the response, of which GraphiQL shows a copy without them', () => {
    keepAnswer('{"data": {"a": [{"n": 1.50}]}}');
    expect(dataOf(JSON.stringify({ data: { a: [{ n: 1.5 }] } }, null, 2))).toEqual(parseExact('{"a": [{"n": 1.50}]}'));
    expect(dataOf('no JSON')).toBeUndefined();
  });
});

describe('a link to a view', () => {
  const operation = { query: '{ a }', variables: '', operationName: undefined };

  test.each<ViewName>(['JSON', 'Table', 'REST', 'Code'])('restores %s', (view) => {
    const fragment = operationFragment(operation, view);
    expect(operationIn(fragment)).toEqual(operation);
    expect(viewOf(fragment)).toBe(view);
  });

  test('to a chart shows the table, which leads to the chart of Explore; unknown views are JSON', () => {
    expect(['#query=a&view=Chart&x=a', '#query=a&view=Else', '#query=a'].map(viewOf)).toEqual(['Table', 'JSON', 'JSON']);
  });
});

test('a link restores the operation from its fragment', () => {
  const operation = {
    query: '{ orders(filter: { subject: { eq: "ä & #+%" } }) { totalCount } }',
    variables: '{"a": "b c"}',
    operationName: 'Q',
  };
  const fragment = operationFragment(operation);
  expect(fragment).toMatch(/^#query=/);
  expect(operationIn(fragment)).toEqual(operation);
  expect(operationIn('#content')).toBeUndefined();
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
  expect(exampleView(examples['next-page'])).toBe('JSON');
  expect(exampleView('# View: JSON\n{ catalog { category } }')).toBeUndefined();
});

test('the errors of a response have their messages', () => {
  expect(errorsIn('{"data": null, "errors": [{"message": "No."}, {}]}')).toEqual(['No.', 'The service did not answer.']);
  for (const shown of ['{"data": {}}', 'no JSON']) expect(errorsIn(shown)).toEqual([]);
});
