/**
 * What the page shows, as plain data. Its address is the REST request of the view: the fragment of the page is `#` and the path with its query
 * string. Browsers send no fragment, and the key is never part of it.
 */
import { answerName } from '../../../../plan/vocabulary/keys.ts';
import { parseList, parseValues } from '../../../../query/grammar.ts';
import { writtenValue } from '../../../../query/write/items.ts';

/** Values of groups that are lists of columns or measures, in the order of the answer. */
const valueLists = ['sum', 'avg', 'min', 'max', 'distinct', 'median', 'stddev', 'sum_once', 'measure'] as const;
export type ValueList = (typeof valueLists)[number];

export interface GroupValue {
  readonly list: ValueList;
  readonly of: string;
}

export interface View {
  readonly category: string;
  readonly table: string;
  readonly shows: 'rows' | 'row' | 'groups';
  /** Conditions in the grammar of REST. */
  readonly where: readonly string[];
  /** Names with `-` for descending order. */
  readonly order: readonly string[];
  /** The columns of rows. If there are none, the first columns of the table. */
  readonly columns: readonly string[];
  /** The keys of groups, with their buckets. */
  readonly by: readonly string[];
  readonly hasCount: boolean;
  readonly values: readonly GroupValue[];
  /** The key of groups whose values are columns; empty if there is none. The request is the same. */
  readonly across: string;
  /** The value of that key whose figures the rows are ordered by; empty for their totals. */
  readonly acrossValue: string;
  /** Parameters of groups that the page passes on as they are. */
  readonly others: readonly (readonly [name: string, value: string])[];
  /** The page of the table, from 1. The request of the view is the same. */
  readonly page: number;
  /** The kind and the fields of the chart that the reader chose; empty if there is none. The request is the same. */
  readonly chart: readonly string[];
  /** The name of the report that the view was made by, and its day; empty if there is none. The request is the same. */
  readonly report: readonly string[];
}

export const viewOfTable = (category: string, table: string, part: Partial<View> = {}): View => ({
  category,
  table,
  shows: 'rows',
  where: [],
  order: [],
  columns: [],
  by: [],
  hasCount: false,
  values: [],
  across: '',
  acrossValue: '',
  others: [],
  page: 1,
  chart: [],
  report: [],
  ...part,
});

const passedOn = new Set(['value', 'having', 'fill', 'limit']);
const isValueList = (name: string): name is ValueList => valueLists.some((each) => each === name);

/** The conditions in the text of `where`. */
export const conditionsIn = (text: string): readonly string[] => parseList(text).map((item) => item.text);

const itemsOf = (query: URLSearchParams, name: string): readonly string[] => query.getAll(name).flatMap(conditionsIn);

/** Parameters that the page has in its fragment besides those of the request, and parameters of REST that a view does not have. */
const own = ['show', 'pivot', 'page', 'chart', 'report', 'format', 'cursor', 'offset'];

const pageIn = (text: string | null): number => (text && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1);

/** The view of a REST address with the path of rows or groups. Undefined for any other address. */
export const parseView = (address: string): View | undefined => {
  const [path = '', ...rest] = address.split('?');
  const [, category, table, groups, ...more] = path.split('/');
  if (!category || !table || more.length > 0 || (groups !== undefined && groups !== 'groups')) return undefined;
  const query = new URLSearchParams(rest.join('?'));
  const lists = new Set(['where', 'order', 'columns', 'by', 'count', ...own, ...valueLists, ...passedOn]);
  const [across, acrossValue] = conditionsIn(query.get('pivot') ?? '');
  const filters = [...query].filter(([name]) => !lists.has(name)).map(([name, value]) => `${name}=${writtenValue(value)}`);
  return viewOfTable(category, table, {
    shows: groups ? 'groups' : query.get('show') === 'row' ? 'row' : 'rows',
    where: [...filters, ...itemsOf(query, 'where')],
    order: itemsOf(query, 'order'),
    columns: itemsOf(query, 'columns'),
    by: itemsOf(query, 'by'),
    hasCount: query.has('count'),
    values: [...query.keys()].filter(isValueList).flatMap((list) => itemsOf(query, list).map((of) => ({ list, of }))),
    across: across ?? '',
    acrossValue: acrossValue === undefined ? '' : (parseValues(acrossValue)?.[0] ?? ''),
    others: [...query].filter(([name]) => passedOn.has(name)),
    page: pageIn(query.get('page')),
    chart: itemsOf(query, 'chart'),
    report: itemsOf(query, 'report'),
  });
};

/** Signs of the grammar stay readable. What a query string or a fragment would read otherwise is encoded. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/%(2C|3A|3D|2F|28|29)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

export type Parameter = readonly [name: string, value: string];

export const addressOf = (path: string, parameters: readonly Parameter[]): string =>
  parameters.length === 0
    ? path
    : `${path}?${parameters.map(([name, value]) => (value === '' ? name : `${name}=${encoded(value)}`)).join('&')}`;

const list = (name: string, items: readonly string[]): readonly Parameter[] => (items.length > 0 ? [[name, items.join()]] : []);

export const pathOf = ({ category, table, shows }: View): string => `/${category}/${table}${shows === 'groups' ? '/groups' : ''}`;

/** The values of groups as lists, in the order of the view. */
const valueParameters = ({ values }: View): readonly Parameter[] =>
  valueLists.flatMap((name) =>
    list(
      name,
      values.filter((value) => value.list === name).map(({ of }) => of),
    ),
  );

/** The parameters of the REST request. `columns` replaces those of the view. */
export const parametersOf = (view: View, columns: readonly string[] = view.columns): readonly Parameter[] =>
  view.shows === 'groups'
    ? [
        ...list('by', view.by),
        ...(view.hasCount ? [['count', ''] as const] : []),
        ...valueParameters(view),
        ...list('where', view.where),
        ...list('order', view.order),
        ...view.others,
      ]
    : [...list('columns', columns), ...list('where', view.where), ...list('order', view.order)];

/** The REST address of a view. */
export const restAddress = (view: View, columns?: readonly string[], more: readonly Parameter[] = []): string =>
  addressOf(pathOf(view), [...parametersOf(view, columns), ...more]);

/** The most rows of one request. */
export const mostRows = { rows: 100_000, row: 100_000, groups: 10_000 } as const;

/** What the fragment has besides the request. */
const ownParameters = ({ shows, across, acrossValue, page, chart, report }: View): readonly Parameter[] => {
  if (shows === 'row') return [['show', 'row']];
  return [
    ...(shows === 'groups' && across !== '' ? list('pivot', [across, ...(acrossValue === '' ? [] : [writtenValue(acrossValue)])]) : []),
    ...(shows === 'groups' ? list('chart', chart) : []),
    ...(page > 1 ? [['page', String(page)] as const] : []),
    ...list('report', report),
  ];
};

/** The fragment of a view, with its `#`. */
export const fragmentOf = (view: View): string => `#${restAddress(view, view.columns, ownParameters(view))}`;

export const viewIn = (fragment: string): View | undefined => {
  const text = fragment.replace(/^#/, '');
  try {
    // A browser may encode a typed address.
    return parseView(text.startsWith('/') ? text : decodeURIComponent(text));
  } catch {
    // A percent sign without its digits.
    return undefined;
  }
};

/** The items of a parameter that the page passes on. */
export const parameterItems = ({ others }: View, name: string): readonly string[] =>
  others.flatMap(([each, value]) => (each === name ? conditionsIn(value) : []));

/** The passed on parameters, with other items of one of them. */
export const withParameter = ({ others }: View, name: string, items: readonly string[]): View['others'] => [
  ...others.filter(([each]) => each !== name),
  ...list(name, items),
];

/** The name in the answer of a value of groups. */
export const valueNameOf = ({ list: name, of }: GroupValue): string => (name === 'measure' ? of : `${name}_${answerName(of)}`);

/** A name in an order: its direction, and its place among several names. */
export interface OrderStep {
  readonly direction: 'ascending' | 'descending';
  /** From 1; 0 if the order has no other name. */
  readonly place: number;
}

export const orderStep = (order: readonly string[], name: string): OrderStep | undefined => {
  const at = order.findIndex((each) => each.replace(/^-/, '') === name);
  const place = order.length > 1 ? at + 1 : 0;
  return at < 0 ? undefined : { direction: order[at]?.startsWith('-') ? 'descending' : 'ascending', place };
};

/** The direction that the head of a column states: that of the first name only. */
export const sortState = (step: OrderStep | undefined): OrderStep['direction'] | undefined =>
  step && step.place <= 1 ? step.direction : undefined;

/** The order with a name in a direction: behind the other names, or in its place among them. */
export const withOrder = (order: readonly string[], name: string, step: string | undefined): readonly string[] => {
  const at = order.findIndex((each) => each.replace(/^-/, '') === name);
  return order.toSpliced(at < 0 ? order.length : at, 1, ...(step === undefined ? [] : [step]));
};

/**
 * A step of an order by a name: first one direction, then the other, then none. Figures begin with the largest. The other names stay only if
 * the name is added to them.
 */
export const nextOrder = (order: readonly string[], name: string, isFigure: boolean, isAdded = false): readonly string[] => {
  const steps = isFigure ? [`-${name}`, name] : [name, `-${name}`];
  if (isAdded) {
    const own = order.find((each) => steps.includes(each)) ?? '';
    return withOrder(order, name, steps[steps.indexOf(own) + 1]);
  }
  const next = steps[steps.indexOf(order[0] ?? '') + 1];
  return next === undefined ? [] : [next];
};
