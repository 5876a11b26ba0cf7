/** Writes the groups of a plan as a query string: the inverse of `groups.ts` (contract: groups in REST). */
import { utcToday } from '../../catalogue/instant.ts';
import { measuresOf } from '../../catalogue/measures/measure-formula.ts';
import { countName, type GroupKey, type Groups, type GroupValue, labelColumn, pathsOver } from '../../plan/groups/groups.ts';
import type { OrderTerm, Plan } from '../../plan/plan.ts';
import { answerName, seriesName } from '../../plan/vocabulary/keys.ts';
import { looksBack, plainAggregates } from '../../plan/vocabulary/values.ts';
import { type RelationsOf, snakeCase, withQueryNames } from '../relation-names.ts';
import { refuse, writtenConditions, writtenPath } from './conditions.ts';

interface Context {
  readonly table: string;
  readonly relationsOf: RelationsOf;
}

/** The item of `by`, and the name of its column in the response. */
const writtenKey = (
  key: GroupKey,
  { table, relationsOf }: Context,
  isOfToday: boolean,
): { readonly item: string; readonly name: string } => {
  const { series, band, bucket } = key;
  if (series) return { item: `${seriesName}:${series.every}(${series.days[0]},${series.days.at(-1)})`, name: seriesName };
  const path = writtenPath(table, key, relationsOf);
  const suffix = band?.is ?? bucket;
  const name = answerName(path, suffix);
  if (!band) return { item: bucket ? `${path}:${bucket}` : path, name };
  if (band.is === 'width') return { item: `${path}:width(${band.width})`, name };
  const on = band.is === 'age' && !(isOfToday && band.on === utcToday()) ? [`on=${band.on}`] : [];
  return { item: `${path}:${band.is}(${[...band.bounds, ...on]})`, name };
};

/** The name of a measure, which a plan has as a formula only. */
export const measureName = (value: Extract<GroupValue, { is: 'measure' }>, table: string, relationsOf: RelationsOf): string => {
  const keyOf = ({ formula, scale, over }: Pick<typeof value, 'formula' | 'scale' | 'over'>) => JSON.stringify([formula, scale, over]);
  const found = measuresOf(table, relationsOf).find((measure) => keyOf(measure) === keyOf(value));
  return found?.name ?? refuse('REST has no such measure');
};

/**
 * The name of a value that a list such as `sum=total_net` shows. Undefined if the value needs a name of its own. Orders and conditions also
 * name values that are not shown, with the path of their column.
 */
const listedName = (value: GroupValue, path: string, isShown: boolean): string | undefined => {
  if ('where' in value && value.where) return undefined;
  if (value.is === 'count') return countName;
  if (value.is === 'measure') return path;
  if (value.is === 'percentile' || 'call' in value) return undefined;
  return `${value.is}_${isShown ? answerName(path) : path}`;
};

/**
 * The query string of a plan for groups, without its page. `nameOf` gives the name of a value that has conditions or is computed; by
 * default, its name in the plan. Throws `Unwritable` if query strings cannot say a part of the plan.
 */
export const writtenGroups = (
  { source: { name: table }, where, order, groups, columns }: Plan & { readonly groups: Groups },
  relations: RelationsOf,
  nameOf: (name: string) => string = (name) => name,
): URLSearchParams => {
  const relationsOf = withQueryNames(relations);
  const context = { table, relationsOf };
  if (groups.top) refuse('REST has no first groups of each coarser key');
  const keys = groups.keys.map((key) => ({ key, ...writtenKey(key, context, groups.isOfToday === true) }));
  /** What a value is over: a column, or the name of a measure. */
  const subjectOf = (value: GroupValue): string => {
    if (value.is === 'measure') return measureName(value, table, relations);
    const paths = pathsOver(value).map((path) => writtenPath(table, path, relationsOf));
    return 'call' in value ? `${value.call}(${paths})` : paths.join();
  };
  const lists = new Map<string, string[]>();
  const add = (parameter: string, item: string) => lists.set(parameter, [...(lists.get(parameter) ?? []), item]);

  /** Names in the response, by the names in the plan. */
  const names = new Map<string, string>([[countName, countName]]);
  for (const { key, name } of keys) names.set(key.name, name).set(labelColumn(key.name), name);
  const named = new Map<string, string>();
  for (const value of groups.values) {
    const listed = listedName(value, subjectOf(value), columns.includes(value.name));
    names.set(value.name, listed ?? snakeCase(nameOf(value.name)));
    if (listed !== undefined) continue;
    const percent = value.is === 'percentile' ? [String(value.percent)] : [];
    const conditions = 'where' in value ? writtenConditions(value.where, table, relationsOf, 1) : [];
    const given = [...(value.is === 'count' ? [] : [subjectOf(value)]), ...percent, ...conditions];
    named.set(value.name, `${names.get(value.name)}:${value.is}(${given})`);
  }
  for (const { is, name, of, within, along } of groups.computed ?? []) {
    names.set(name, snakeCase(nameOf(name)));
    const keysOf = looksBack(is) ? [along!.name, ...(along!.periods === 1 ? [] : [String(along!.periods)])] : within;
    const given = [...of, ...keysOf].map((each) => names.get(each) ?? each);
    named.set(name, `${names.get(name)}:${is}(${given})`);
  }

  for (const { item } of keys) add('by', item);
  // Orders and conditions need no listed value in the response.
  for (const value of groups.values) {
    if (named.has(value.name) || !columns.includes(value.name)) continue;
    if (value.is === 'count') continue;
    add(value.is, subjectOf(value));
  }
  for (const item of named.values()) add('value', item);
  for (const name of groups.filled ?? []) add('fill', names.get(name)!);
  for (const item of writtenConditions(where, table, relationsOf)) add('where', item);
  const shown = (column: string) => names.get(column) ?? column;
  for (const item of writtenConditions(groups.having && renamed(groups.having, shown), table, relationsOf)) add('having', item);
  for (const { column, isDescending } of withoutDefaults(order, groups.keys)) add('order', `${isDescending ? '-' : ''}${shown(column)}`);

  const query = new URLSearchParams();
  const isCounted = columns.includes(countName) || groups.values.some((value) => value.is === 'count' && !named.has(value.name));
  if (isCounted) query.set(countName, '');
  for (const parameter of ['by', ...plainAggregates, 'measure', 'value', 'fill', 'where', 'having', 'order']) {
    const items = lists.get(parameter);
    if (items) query.set(parameter, items.join());
  }
  return query;
};

/** A condition on groups with the names of the response. */
const renamed = (condition: NonNullable<Groups['having']>, shown: (column: string) => string): NonNullable<Groups['having']> => {
  if (condition.is === 'and' || condition.is === 'or') return { ...condition, of: condition.of.map((part) => renamed(part, shown)) };
  if (condition.is === 'not') return { ...condition, of: renamed(condition.of, shown) };
  return 'column' in condition ? { ...condition, column: shown(condition.column) } : condition;
};

/** The order without the keys at its end, which every order of groups has. */
export const withoutDefaults = (order: readonly OrderTerm[], keys: readonly GroupKey[]): readonly OrderTerm[] => {
  const rest = [...order];
  const left = keys.length > 0 ? keys.map(({ name }) => name) : [countName];
  while (rest.length > 0 && !rest.at(-1)!.isDescending && rest.at(-1)!.column === left.at(-1)) {
    rest.pop();
    left.pop();
  }
  return rest;
};
