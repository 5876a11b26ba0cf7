/** Charts of groups, and their numbers, dates and files as people read them (contract: explore page). */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { fittingAxes, suggestAxes } from '../../src/web/browser/charts/axes.ts';
import { sumOf } from '../../src/web/browser/charts/decimals.ts';
import { chartData } from '../../src/web/browser/charts/series.ts';
import { csvOf } from '../../src/web/browser/csv.ts';
import { Figure } from '../../src/web/browser/exact.ts';
import type { Cell, List } from '../../src/web/browser/list.ts';
import { shownText } from '../../src/web/browser/values.ts';

/** A list of groups. Numbers are figures with their digits. */
const listOf = (columns: readonly string[], ...rows: readonly (readonly (string | number | boolean | null)[])[]): List => ({
  name: 'orders',
  columns,
  rows: rows.map((row) => row.map((cell): Cell => (typeof cell === 'number' ? new Figure(String(cell)) : cell))),
});
const texts = { noValue: '(none)', others: 'Others' };

describe('a chart is suggested', () => {
  const suggested = (...list: Parameters<typeof listOf>) => suggestAxes(listOf(...list));

  test('as a line over a period', () =>
    expect(suggested(['key.order_date_month', 'count', 'sum.total_net'], ['2025-01-01', 1, 2], ['2025-02-01', 1, 2])).toEqual({
      x: 'key.order_date_month',
      y: 'sum.total_net',
      kind: 'line',
    }));
  test('as bars over names that begin like a date', () =>
    expect(suggested(['key.cost_center_id', 'count'], ['1001-10', 1], ['1001-80', 1], ['2025-13-45', 1])).toEqual({
      x: 'key.cost_center_id',
      y: 'count',
      kind: 'bar',
    }));
  test('as a line over the days of a series, with a line for each value of a key, but not over a single day', () => {
    const columns = ['key.as_of', 'key.property_id', 'count'];
    const days = suggested(columns, ['2025-01-31', '1', 1], ['2025-01-31', '2', 1], ['2025-02-28', '1', 1]);
    expect(days).toEqual({ x: 'key.as_of', y: 'count', series: 'key.property_id', kind: 'line' });
    const day = suggested(columns, ['2025-01-31', '1', 1], ['2025-01-31', '2', 1]);
    expect(day).toEqual({ x: 'key.property_id', y: 'count', kind: 'bar' });
  });
  test('as bars over the key with the most values, if there are several keys', () => {
    const columns = ['key.property_id', 'key.is_active', 'key.contract_number', 'count'];
    expect(suggested(columns, ['1', 'yes', 'c1', 1], ['1', 'yes', 'c2', 1], ['2', 'yes', 'c3', 1])?.x).toBe('key.contract_number');
  });
  test('but not of texts', () => expect(suggested(['key.name'], ['a'])).toBeUndefined());
});

const twoKeys = listOf(
  ['key.trade', 'key.property_id', 'count', 'sum.total_net'],
  ['Plumbing', 'A', 2, 1.1],
  ['Roof', 'A', 1, 2.2],
  ['Plumbing', 'B', 9, 3.05],
  ['Plumbing', 'C', 9, null],
);

describe('a chart of two keys', () => {
  test('is stacked for sums, grouped for other values, and a line over time', () => {
    expect(suggestAxes(twoKeys)).toEqual({ x: 'key.property_id', y: 'sum.total_net', series: 'key.trade', kind: 'stacked' });
    const measures = { ...twoKeys, columns: twoKeys.columns.map((column) => column.replace('sum.', 'measures.')) };
    expect(suggestAxes(measures)?.kind).toBe('grouped');
    const columns = ['key.order_date_year', 'key.trade', 'count'];
    const overTime = listOf(columns, ['2025-01-01', 'p', 1], ['2026-01-01', 'q', 1]);
    expect(suggestAxes(overTime)).toEqual({ x: 'key.order_date_year', y: 'count', series: 'key.trade', kind: 'line' });
    // One date is no line.
    const oneDate = listOf(columns, ['2025-01-01', 'p', 1], ['2025-01-01', 'q', 1]);
    expect(suggestAxes(oneDate)).toEqual({ x: 'key.trade', y: 'count', kind: 'bar' });
  });

  test('has a value or a gap for each place of each series', () => {
    const { series, places, omitted } = chartData(twoKeys, suggestAxes(twoKeys)!, 'en', texts);
    expect([places, omitted]).toEqual([3, { withoutDay: 0, series: 0 }]);
    expect(series.map(({ label, points }) => [label, points.map(({ text }) => text)])).toEqual([
      ['Plumbing', ['1.1', '3.05', '']],
      ['Roof', ['2.2', '', '']],
    ]);
  });

  test('calls its places and series as the table does, such as months', () => {
    const list = listOf(['key.month', 'key.quarter', 'count'], ['2025-01-01', '2025-01-01', 1], ['2025-02-01', '2025-01-01', 2]);
    const axes = { x: 'key.month', y: 'count', series: 'key.quarter', kind: 'line' } as const;
    const { series } = chartData(list, axes, 'en', texts, (cell, column) => `${column.slice('key.'.length)} of ${cell}`);
    expect(series.map(({ label, points }) => [label, points.map((each) => each.label)])).toEqual([
      ['quarter of 2025-01-01', ['month of 2025-01-01', 'month of 2025-02-01']],
    ]);
  });

  test('over time has no place for rows without a day, and says so', () => {
    const list = listOf(['key.end_date', 'key.trade', 'count'], ['2025-01-01', 'p', 1], [null, 'p', 1], [null, 'r', 1]);
    const axes = { x: 'key.end_date', y: 'count', kind: 'line' } as const;
    for (const data of [axes, { ...axes, series: 'key.trade' }].map((each) => chartData(list, each, 'en', texts))) {
      expect(data.series.flatMap(({ points }) => points.map(({ at }) => at))).toEqual(['2025-01-01']);
      expect([data.places, data.omitted]).toEqual([1, { withoutDay: 2, series: 0 }]);
    }
  });

  test('has at most eight series: stacked bars add the others up, and a line says how many there are', () => {
    const list = listOf(['key.trade', 'key.status', 'count'], ...Array.from({ length: 10 }, (_, at) => [`t${at}`, 's', at]));
    const axes = { x: 'key.status', y: 'count', series: 'key.trade' } as const;
    const stacked = chartData(list, { ...axes, kind: 'stacked' }, 'en', texts);
    expect(stacked.series.map(({ label, points }) => [label, points[0]?.text])).toEqual([
      ...[3, 4, 5, 6, 7, 8, 9].map((at) => [`t${at}`, `${at}`]),
      ['Others', '3'],
    ]);
    expect(stacked.omitted.series).toBe(0);
    const line = chartData(list, { ...axes, kind: 'line' }, 'en', texts);
    expect(line.series.map(({ label }) => label)).toEqual(['t2', 't3', 't4', 't5', 't6', 't7', 't8', 't9']);
    expect(line.omitted.series).toBe(2);
  });

  test('has all of its places, or says that they are too many for bars', () => {
    const list = listOf(['key.trade', 'count'], ...Array.from({ length: 201 }, (_, at) => [`t${at}`, 1]));
    const axes = { x: 'key.trade', y: 'count' } as const;
    const found = (['bar', 'line'] as const).map((kind) => chartData(list, { ...axes, kind }, 'en', texts));
    expect(found.map(({ isTooMuch, places, series }) => [isTooMuch, places, series[0]?.points.length])).toEqual([
      [true, 201, 201],
      [false, 201, 201],
    ]);
  });

  test('keeps the axes of the reader only for a list that has them', () => {
    const axes = { x: 'key.trade', y: 'count', kind: 'grouped', series: 'key.status' } as const;
    expect(fittingAxes(twoKeys, axes)).toEqual({ x: 'key.trade', y: 'count', kind: 'grouped' });
    expect(fittingAxes(twoKeys, { ...axes, y: 'sum.total_gross' })).toBeUndefined();
  });
});

describe('numbers and dates', () => {
  test('numbers keep all digits, identifiers have no separators, and dates follow the language', () => {
    const figure = new Figure('12345678901234567.10');
    expect(shownText(figure, 'total_net', 'en')).toBe('12,345,678,901,234,567.10');
    expect(shownText(figure, 'total_net', 'de')).toBe('12.345.678.901.234.567,10');
    expect(shownText(new Figure('10001'), 'property_id', 'en')).toBe('10001');
    expect(shownText('2025-03-09', 'order_date', 'de')).toBe('09.03.2025');
    expect(shownText('2025-03-09', 'order_date', 'en')).toBe('9 Mar 2025');
    expect([shownText(true, 'is_active', 'de'), shownText(null, 'is_active', 'de')]).toEqual(['ja', '']);
  });

  test('sums are exact', () => {
    expect([sumOf(['0.1', '0.20', '-5']), sumOf(['-0.05', '0.01']), sumOf(['9007199254740993', '1'])]).toEqual([
      '-4.70',
      '-0.04',
      '9007199254740994',
    ]);
  });
});

describe('the file of a view', () => {
  const mark = '\uFEFF';

  test('follows RFC 4180: quotes where needed, CRLF, unchanged digits, null distinct from an empty text', () => {
    const rows = [
      ['x,y', 'say "hi"', 'two\nlines', new Figure('10.00')],
      [null, '', 'ü', new Figure('-0.10')],
    ];
    expect(csvOf({ head: ['a,b', 'c', 'd', 'e'], rows }, 'en')).toBe(
      `${mark}"a,b",c,d,e\r\n"x,y","say ""hi""","two\nlines",10.00\r\n,"",ü,-0.10\r\n`,
    );
  });

  test('has semicolons and decimal commas in German', () => {
    const rows = [
      ['x;y', 'x,y', new Figure('1234.50'), null, ''],
      ['-1.5', '=1', new Figure('-0.10'), 'ja', 'z'],
    ];
    expect(csvOf({ head: ['a', 'b', 'c', 'd', 'e'], rows }, 'de')).toBe(
      `${mark}a;b;c;d;e\r\n"x;y";x,y;1234,50;;""\r\n'-1.5;'=1;-0,10;ja;z\r\n`,
    );
  });

  test('begins text with an apostrophe that a spreadsheet would run; numbers do not change', () => {
    const all = ['=HYPERLINK("http://evil.example")', '+1', '-12.50', '@SUM(A1)', '\tx', '\rx', 'a=b', ' =1'];
    const text = csvOf({ head: ['text', 'number'], rows: all.map((each) => [each, new Figure('-12.50')]) }, 'en');
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true });
    expect(rows.map((row) => row.text)).toEqual([
      `'=HYPERLINK("http://evil.example")`,
      "'+1",
      "'-12.50",
      "'@SUM(A1)",
      "'\tx",
      "'\rx",
      'a=b',
      ' =1',
    ]);
    expect(new Set(rows.map((row) => row.number))).toEqual(new Set(['-12.50']));
  });
});
