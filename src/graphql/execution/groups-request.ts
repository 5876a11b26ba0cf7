/** Translates the arguments of a groups field into a request for groups (contract: groups in GraphQL). */
import type { Catalogue } from '../../catalogue/index.ts';
import { kinds } from '../../catalogue/kinds.ts';
import type { Table } from '../../catalogue/table.ts';
import { ApiError } from '../../errors.ts';
import type { Condition } from '../../plan/condition.ts';
import type { RequestedBand } from '../../plan/groups/bands.ts';
import { type Groups, maxJoins } from '../../plan/groups/groups.ts';
import type {
  GroupableTable,
  GroupsError,
  GroupsRequest,
  KeyReference,
  RequestedComputed,
  RequestedCondition,
  RequestedKey,
  RequestedOrder,
  RequestedTerm,
  RequestedValue,
  RequestPart,
} from '../../plan/groups/request.ts';
import { resolveGroups } from '../../plan/groups/resolve.ts';
import type { RequestedSeries } from '../../plan/groups/series.ts';
import type { OrderTerm } from '../../plan/plan.ts';
import { clipped } from '../../plan/validation-errors.ts';
import { type Aggregate, computations, rowFunctions } from '../../plan/vocabulary/values.ts';
import { columnsByField, comparison, filterConditionOf, namedColumn } from '../schema/filter-conditions.ts';
import { camelCase } from '../schema/names.ts';
import type { SelectedField } from '../selection/fields.ts';
import { bandName } from '../selection/select.ts';
import type { ConnectionSelection, GroupsSelection, SelectedAggregate, SelectedValue } from '../selection/selection.ts';

type Input = Readonly<Record<string, unknown>>;

/** The names of the parts of a request in errors. */
const names: Record<RequestPart, string> = {
  keys: 'key',
  values: 'groups',
  order: 'orderBy',
  having: 'having',
  top: 'topPer',
  fill: 'fill',
};

const wrong = (part: RequestPart, reason: string) => new ApiError('invalidParameter', `${names[part]}: ${reason}`);

const reasonOf = (error: GroupsError): string => {
  if (error.is === 'invalid') return error.reason;
  if (error.is === 'tooManyRelations') return `at most ${maxJoins} relations can be followed`;
  return error.among === 'keys' ? `${error.name} is not selected under key` : `${camelCase(error.name)} has no ${error.among}`;
};

/** The key that an input names: a column of the table or of a related table. */
const keyReference = (part: RequestPart, input: Input, path = ''): KeyReference => {
  const { bucket, ...named } = input;
  const [only, ...others] = Object.entries(named);
  if (!only || only[1] === null || others.length > 0) throw wrong(part, 'a key is exactly one column');
  const [name, value] = only;
  if (name === 'asOf') return { is: 'key', name };
  if (name === 'band') return { is: 'key', name: `${path}${bandName(value as string)}` };
  if (name !== 'column') return keyReference(part, value as Input, `${path}${name}.`);
  return { is: 'key', name: `${path}${camelCase(value as string)}`, bucket: (bucket ?? undefined) as string | undefined };
};

/** The arguments of the selected value that `of` names. Without `of`, there are none. */
type ArgumentsOfValue = (part: RequestPart, of: unknown) => Pick<RequestedValue, 'percent' | 'where'>;

/** An aggregate with the arguments of a selected value. A percent applies to percentiles only. */
const requestedValue = (is: RequestedValue['is'], of: string, { percent, where }: ReturnType<ArgumentsOfValue>): RequestedValue => ({
  is,
  of,
  where,
  ...(is === 'percentile' && { percent }),
});

/** Finds the selected sum over related rows with a response key, or the selected aggregate or measure with response keys. */
type ValueOf = (part: RequestPart, responseKeys: string) => RequestedValue;

/** Finds the selected computed value with a response key. */
type ComputedOf = (part: RequestPart, responseKey: string) => RequestedComputed;

/** What the names in orders, conditions and computed values refer to. */
interface Selected {
  readonly argumentsOf: ArgumentsOfValue;
  readonly computedOf: ComputedOf;
  readonly sumOnceOf: ValueOf;
  readonly aggregateOf: ValueOf;
}

/** The names in inputs that hold the response keys of a selected value. */
const byResponseKey = ['computed', 'sumOnce', 'value'] as const;
type ByResponseKey = (typeof byResponseKey)[number];

const selectedTerm = (name: ByResponseKey, part: RequestPart, responseKeys: string, selected: Selected): RequestedTerm => {
  if (name === 'computed') return selected.computedOf(part, responseKeys);
  return name === 'sumOnce' ? selected.sumOnceOf(part, responseKeys) : selected.aggregateOf(part, responseKeys);
};

/** The key or value that an input names. */
const requestedTerm = (part: RequestPart, { of, ...named }: Input, selected: Selected): RequestedTerm => {
  const [only, ...others] = Object.entries(named).filter(([, value]) => value !== null && value !== false);
  const what = part === 'order' ? 'a step is exactly one key or value' : 'exactly one value is needed';
  if (!only || others.length > 0) throw wrong(part, what);
  const [name, value] = only;
  const known = byResponseKey.find((each) => each === name);
  const hasArguments = name !== 'key' && name !== 'measure' && !known;
  if (!hasArguments && (of ?? undefined) !== undefined) throw wrong(part, `of does not apply to a ${name}`);
  if (name === 'key') return keyReference(part, value as Input);
  if (known) return selectedTerm(known, part, value as string, selected);
  const column = name === 'count' ? '' : (value as string);
  return requestedValue(name as RequestedValue['is'], column, selected.argumentsOf(part, of));
};

const requestedOrder = ({ direction, ...step }: Input, selected: Selected): RequestedOrder => ({
  term: requestedTerm('order', step, selected),
  isDescending: direction === 'DESC',
});

/** A computed value with the arguments of its field. */
const requestedComputed = (call: RequestedComputed['call'], given: Input, selected: Selected): RequestedComputed => {
  const { within, along, periods } = given as Readonly<Record<string, Input>>;
  const operands = Object.keys(computations[call].operands).flatMap((name) => {
    const operand = given[name];
    return operand ? [requestedTerm('values', operand as Input, selected)] : [];
  });
  return {
    is: 'computed',
    call,
    of: operands,
    within: ((within ?? []) as unknown as readonly Input[]).map((key) => keyReference('values', key)),
    along: along ? keyReference('values', along) : undefined,
    periods: (periods ?? undefined) as number | undefined,
  };
};

/** The bands of a key. */
const requestedBand = ({ ranges, width, age, on }: Input): RequestedBand => {
  const given = Object.entries({ ranges, width, age }).filter(([, value]) => (value ?? undefined) !== undefined);
  const [only, ...others] = given;
  if (!only || others.length > 0) throw wrong('keys', 'a band has exactly one of ranges, width and age');
  const [is, value] = only;
  return { is: is as RequestedBand['is'], bounds: [value].flat().map(String), on: (on ?? undefined) as string | undefined };
};

/** A condition that combines others; undefined for other names. */
const combined = (
  name: string,
  value: unknown,
  partsOf: (input: Input) => readonly RequestedCondition[],
): RequestedCondition | undefined => {
  if (value === null) return { is: 'unknown' };
  if (name === 'not') return { is: name, of: partsOf(value as Input) };
  if (name === 'and' || name === 'or') return { is: name, of: (value as Input[]).map(partsOf) };
  return undefined;
};

/** `input` is the field of `having`, if its operators are those of numbers. */
const compared = (term: RequestedTerm, operators: unknown, input?: ByResponseKey): RequestedCondition => ({
  is: 'compared',
  term,
  compare: ({ column, kind }) => {
    if (input && kinds[kind].wire !== 'number') throw wrong('having', `${input} compares numbers; use min or max`);
    return Object.entries(operators as Input).map(([operator, value]) => comparison(column, kind, operator, value));
  },
});

/**
 * Finds the term of a condition by the name in the filter. `path` holds the relations that lead to the column, each followed by a dot.
 * Undefined for the name of a relation.
 */
type TermOf = (path: string, field: string) => RequestedTerm | undefined;

const keyTermOf =
  (keys: readonly RequestedKey[]): TermOf =>
  (path, field) => {
    const name = `${path}${field}`;
    return keys.some((key) => key.name.startsWith(`${name}.`)) ? undefined : { is: 'key', name };
  };

const valueTermOf = (groupable: GroupableTable, is: Aggregate | 'measure', values: ReturnType<ArgumentsOfValue>): TermOf => {
  const measures = new Map([...groupable.measures.keys()].map((name) => [camelCase(name), name]));
  return (path, field) => {
    const via = path.split('.').slice(0, -1);
    const table = is === 'measure' ? undefined : tableAt(groupable, via);
    const of = table ? columnsByField(table).get(field) : measures.get(field);
    if (of !== undefined) return is === 'measure' ? requestedValue(is, of, {}) : { ...requestedValue(is, of, values), via };
    if (table && tableAt(groupable, [...via, field])) return undefined;
    throw wrong('having', `${path}${field} has no ${is}`);
  };
};

/** The table that to-one relations lead to, if there are such relations. */
const tableAt = (groupable: GroupableTable, via: readonly string[]): Table | undefined =>
  via.reduce<Table | undefined>((table, name) => {
    const relation = table && groupable.toOneOf(table).find((each) => each.name === name);
    return relation && groupable.tables.get(relation.target);
  }, groupable.table);

const conditionsOn = (termOf: TermOf, filter: Input, path = ''): readonly RequestedCondition[] =>
  Object.entries(filter).flatMap(([name, value]): readonly RequestedCondition[] => {
    const condition = combined(name, value, (part) => conditionsOn(termOf, part, path));
    if (condition) return [condition];
    const term = termOf(path, name);
    return term ? [compared(term, value)] : conditionsOn(termOf, value as Input, `${path}${name}.`);
  });

interface Requesting extends Selected {
  readonly groupable: GroupableTable;
  readonly keys: readonly RequestedKey[];
}

const requestedConditions = (requesting: Requesting, { of, ...having }: Input): readonly RequestedCondition[] => {
  const { groupable, keys } = requesting;
  const alone = byResponseKey.find((name) => (having[name] ?? undefined) !== undefined);
  const values = alone ? {} : requesting.argumentsOf('having', of);
  return Object.entries(having).flatMap(([name, value]): readonly RequestedCondition[] => {
    const condition = combined(name, value, (part) => requestedConditions(requesting, part));
    if (condition) return [condition];
    if (alone === name) return [compared(selectedTerm(alone, 'having', (of ?? '') as string, requesting), value, alone)];
    if (alone) throw wrong('having', `of names a value for ${alone}, so ${name} needs a condition of its own; use and`);
    if (name === 'count') return [compared(requestedValue(name, '', values), value)];
    const termOf = name === 'key' ? keyTermOf(keys) : valueTermOf(groupable, name === 'measures' ? 'measure' : (name as Aggregate), values);
    return conditionsOn(termOf, value as Input);
  });
};

/** Throws for a response key that names no value of the kind. */
const missing = (part: RequestPart, responseKey: string, kind: string): never => {
  throw wrong(part, `${clipped(responseKey, 80)} is not a ${kind}`);
};

/** The requested groups and their order. Throws 422 for arguments that do not match the selection. */
export const groupsOf = (
  catalogue: Catalogue,
  { groups, fields }: ConnectionSelection & { readonly groups: GroupsSelection },
  { having, orderBy, topPer, fill, asOf }: Input,
  {
    variables,
    where,
    linkedBy,
  }: { readonly variables: Input; readonly where: Condition | undefined; readonly linkedBy: string | undefined },
): { readonly groups: Groups; readonly order: readonly OrderTerm[] } => {
  const series = (asOf ?? undefined) as RequestedSeries | undefined;
  if (series && !groups.keys.some(({ is }) => is === 'asOf')) throw wrong('keys', 'select asOf beside key, because the groups are of days');
  const keys = groups.keys.map(({ selected, is, ...key }): RequestedKey => {
    const given = selected.argumentsOf(variables) as Input;
    if (is === 'band') return { ...key, column: given.of as string, band: requestedBand(given) };
    if (is === 'asOf') {
      if (!series) throw wrong('keys', 'asOf is selected, but the argument asOf is missing');
      return { ...key, series };
    }
    return { ...key, bucket: (given.bucket ?? undefined) as string | undefined };
  });
  const { groupable, named } = groups;
  const read = (selected: SelectedField): ReturnType<ArgumentsOfValue> => {
    const { filter, percent } = selected.argumentsOf(variables) as { readonly filter?: unknown; readonly percent?: number };
    return { where: filterConditionOf(catalogue, groupable.table, filter), percent };
  };
  const argumentsOf: ArgumentsOfValue = (part, of) => {
    if (of === undefined || of === null) return {};
    const selected = named.get(of as string);
    return selected ? read(selected) : missing(part, of as string, 'selected value with arguments');
  };
  const computed = new Map<string, RequestedComputed>();
  const computedOf: ComputedOf = (part, responseKey) => {
    const found = computed.get(responseKey);
    if (found) return found;
    return missing(part, responseKey, `selected computed value${part === 'values' ? ' before it' : ''}`);
  };
  const sumOnce = ({ selected }: Extract<SelectedValue, { is: 'sumOnce' }>): RequestedValue => {
    const { of } = selected.argumentsOf(variables) as { readonly of: Input };
    return { is: 'sum_once', ...namedColumn(`${names.values}: sumOnce`, of), where: read(selected).where };
  };
  const aggregate = ({ is, of, via = [], applied, selected }: SelectedAggregate): RequestedValue => {
    const given = applied?.selected.argumentsOf(variables) as Readonly<Record<string, Input>> | undefined;
    const operands =
      applied &&
      Object.keys(rowFunctions[applied.call].operands).map((name) => namedColumn(`${names.values}: ${applied.call}`, given![name]!, via));
    return {
      ...requestedValue(is, of, selected ? read(selected) : {}),
      ...(applied ? { applied: { call: applied.call, of: operands! } } : is !== 'count' && is !== 'measure' && { via }),
    };
  };
  const aggregateOf: ValueOf = (part, responseKeys) => {
    const found = groups.values.find((value) => 'paths' in value && value.paths.includes(responseKeys));
    return found && 'paths' in found ? aggregate(found) : missing(part, responseKeys, 'selected value');
  };
  const sumOnceOf: ValueOf = (part, responseKey) => {
    const found = groups.values.find((value) => value.is === 'sumOnce' && value.key === responseKey);
    return found?.is === 'sumOnce' ? sumOnce(found) : missing(part, responseKey, 'selected sum over related rows');
  };
  const selected: Selected = { argumentsOf, computedOf, sumOnceOf, aggregateOf };
  const values = groups.values.map((value) => {
    if (value.is === 'sumOnce') return sumOnce(value);
    if (value.is !== 'computed') return aggregate(value);
    const requested = requestedComputed(value.of, value.selected.argumentsOf(variables), selected);
    computed.set(value.key, requested);
    return requested;
  });
  const top = (topPer ?? undefined) as { readonly by: readonly Input[]; readonly first: number } | undefined;
  const request: GroupsRequest = {
    keys,
    values,
    where,
    linkedBy,
    fill: ((fill ?? []) as readonly Input[]).map((key) => keyReference('fill', key)),
    order: ((orderBy ?? []) as readonly Input[]).map((step) => requestedOrder(step, selected)),
    having: having ? requestedConditions({ groupable, keys, ...selected }, having as Input) : [],
    top: top && { by: top.by.map((key) => keyReference('top', key)), first: top.first },
    isCounted: fields.some(({ is }) => is === 'totalCount'),
  };
  return resolveGroups(request, groupable, (part, error) => {
    throw wrong(part, reasonOf(error));
  });
};
