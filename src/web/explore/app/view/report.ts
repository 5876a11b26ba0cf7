/** Reports: questions of analysts as views, with fields for the day, a property and a city. */

import { atDay, isReportDay } from '../../../../catalogue/relative-days.ts';
import { writtenComparison } from '../../../../query/write/items.ts';
import type { DescribedQuestion, DescribedTable, Description } from '../../described.ts';
import { replaced, selectedValues } from './conditions.ts';
import { findColumn } from './tables.ts';
import { parseView, type View } from './view.ts';

/** The view of a report on a day. Undefined if its address cannot be read. */
export const viewOfReport = ({ name, address, chart = [] }: DescribedQuestion, day: string): View | undefined => {
  const view = parseView(atDay(address, day));
  return view && { ...view, chart, report: [name, day] };
};

export interface Report {
  readonly question: DescribedQuestion;
  readonly day: string;
  /** The field for the day: a day, a year, or none. */
  readonly asks: 'day' | 'year' | undefined;
}

const placeholders = /\{([a-z_]+)/g;

/** The report of a view. Undefined for views of another origin. */
export const reportOf = ({ report: [name, day = ''] }: View, { questions }: Description): Report | undefined => {
  const question = questions.find((each) => each.name === name);
  if (!question || !isReportDay(day)) return undefined;
  const named = [...question.address.matchAll(placeholders)].map(([, each = '']) => each);
  return { question, day, asks: named.length === 0 ? undefined : named.every((each) => each.startsWith('year')) ? 'year' : 'day' };
};

/** The fields that choose rows, with the columns that they are about: the table's own, or those of its property. */
export const placeFieldsOf = (table: DescribedTable, description: Description): { readonly property?: string; readonly city?: string } => {
  const first = (...paths: readonly string[]) => paths.find((path) => findColumn(description, table, path) !== undefined);
  const property = first('property_id');
  const city = first('property.city', 'city');
  return { ...(property && { property }), ...(city && { city }) };
};

/** The view of a report on another day, with what the reader chose. */
export const onDay = (view: View, table: DescribedTable, description: Description, day: string): View => {
  const report = reportOf(view, description);
  const moved = report && viewOfReport(report.question, day);
  if (!moved) return view;
  const { property, city } = placeFieldsOf(table, description);
  const kept = [property, city].flatMap((path) => (path ? view.where.filter((text) => selectedValues([text], path).length > 0) : []));
  return { ...moved, chart: view.chart, where: [...moved.where, ...kept.filter((text) => !moved.where.includes(text))] };
};

/** The view with the rows that have a value of a field, or all rows. */
export const choosing = (view: View, path: string, value: string): View => ({
  ...view,
  page: 1,
  where:
    value === ''
      ? view.where.filter((text) => selectedValues([text], path).length === 0)
      : replaced(view.where, path, [writtenComparison(path, 'eq', value)]),
});
