/** What the response pane shows. A link can contain it, so that another reader sees the same view. */
import { type Axes, chartKinds } from '../../browser/axes.ts';
import { type Language, languages } from '../../browser/values.ts';
import { type ViewName, viewNames } from '../view-names.ts';
import type { Order } from './response/order.ts';

export interface View {
  readonly name: ViewName;
  /** The list of the response. The first list if it is absent. */
  readonly list?: string | undefined;
  readonly axes?: Axes | undefined;
  readonly order?: Order | undefined;
  /** The language of a link. It comes before the last choice in this browser. */
  readonly language?: Language | undefined;
}

/** The view as parameters of a fragment. The JSON view is the default and has none. */
export const viewParameters = ({ name, list, axes, order, language }: View): Readonly<Record<string, string>> => {
  if (name === 'JSON') return {};
  const chart = name === 'Chart' && axes ? axes : undefined;
  const parameters: Record<string, string | undefined> = {
    view: name,
    list,
    x: chart?.x,
    y: chart?.y,
    series: chart?.series,
    kind: chart?.kind,
    order: name === 'Table' && order ? `${order.isDescending ? '-' : ''}${order.column}` : undefined,
    language: name === 'Table' || name === 'Chart' ? language : undefined,
  };
  return Object.fromEntries(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined));
};

/** The view in the parameters of a fragment. Unknown values are ignored. */
export const viewIn = (parameters: URLSearchParams): View => {
  const known = <Value extends string>(values: readonly Value[], name: string): Value | undefined =>
    values.find((value) => value === parameters.get(name));
  const [x, y, series] = ['x', 'y', 'series'].map((name) => parameters.get(name) ?? undefined);
  const kind = known(chartKinds, 'kind');
  const order = parameters.get('order') ?? undefined;
  return {
    name: known(viewNames, 'view') ?? 'JSON',
    list: parameters.get('list') ?? undefined,
    axes: x && y && kind ? { x, y, kind, ...(series ? { series } : {}) } : undefined,
    order: order ? { column: order.replace(/^-/, ''), isDescending: order.startsWith('-') } : undefined,
    language: known(languages, 'language'),
  };
};
