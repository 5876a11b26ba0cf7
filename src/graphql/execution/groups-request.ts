/** Translates the arguments of a groups field into a request for groups (contract: groups in GraphQL). */
import type { Catalogue } from '../../catalogue/index.ts';
import { ApiError } from '../../errors.ts';
import { type Aggregate, type Groups, maxJoins } from '../../plan/groups/groups.ts';
import {
  type GroupableTable,
  type GroupsError,
  type KeyReference,
  type RequestedCondition,
  type RequestedKey,
  type RequestedOrder,
  type RequestedTerm,
  type RequestedValue,
  type RequestPart,
  resolveGroups,
} from '../../plan/groups/resolve.ts';
import type { OrderTerm } from '../../plan/plan.ts';
import { clipped } from '../../plan/validation-errors.ts';
import { columnsByField, comparison, conditionOf } from '../schema/filters.ts';
import { camelCase } from '../schema/names.ts';
import type { SelectedField } from '../selection/fields.ts';
import type { ConnectionSelection, GroupsSelection } from '../selection/selection.ts';

type Input = Readonly<Record<string, unknown>>;

/** The names of the parts of a request in errors. */
const names: Record<RequestPart, string> = { keys: 'key', values: 'groups', order: 'orderBy', having: 'having', top: 'topPer' };

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

const requestedOrder = (step: Input, argumentsOf: ArgumentsOfValue): RequestedOrder => {
  const { direction, of, ...named } = step;
  const [only, ...others] = Object.entries(named).filter(([, value]) => value !== null && value !== false);
  if (!only || others.length > 0) throw wrong('order', 'a step is exactly one key or value');
  const [name, value] = only;
  const isDescending = direction === 'DESC';
  const isValue = name !== 'key' && name !== 'measure';
  if (!isValue && (of ?? undefined) !== undefined) throw wrong('order', `of does not apply to a ${name}`);
  if (name === 'key') return { term: keyReference('order', value as Input), isDescending };
  const column = name === 'count' ? '' : (value as string);
  return { term: requestedValue(name as RequestedValue['is'], column, argumentsOf('order', of)), isDescending };
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

const compared = (term: RequestedTerm, operators: unknown): RequestedCondition => ({
  is: 'compared',
  term,
  compare: ({ column, kind }) => Object.entries(operators as Input).map(([operator, value]) => comparison(column, kind, operator, value)),
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

const valueTermOf = ({ table, measures }: GroupableTable, is: Aggregate | 'measure', values: ReturnType<ArgumentsOfValue>): TermOf => {
  const fields = is === 'measure' ? new Map([...measures.keys()].map((name) => [camelCase(name), name])) : columnsByField(table);
  return (path, field) => {
    const of = fields.get(`${path}${field}`);
    if (of === undefined) throw wrong('having', `${path}${field} has no ${is}`);
    return requestedValue(is, of, is === 'measure' ? {} : values);
  };
};

const conditionsOn = (termOf: TermOf, filter: Input, path = ''): readonly RequestedCondition[] =>
  Object.entries(filter).flatMap(([name, value]): readonly RequestedCondition[] => {
    const condition = combined(name, value, (part) => conditionsOn(termOf, part, path));
    if (condition) return [condition];
    const term = termOf(path, name);
    return term ? [compared(term, value)] : conditionsOn(termOf, value as Input, `${path}${name}.`);
  });

interface Requesting {
  readonly groupable: GroupableTable;
  readonly keys: readonly RequestedKey[];
  readonly argumentsOf: ArgumentsOfValue;
}

const requestedConditions = (requesting: Requesting, { of, ...having }: Input): readonly RequestedCondition[] => {
  const { groupable, keys, argumentsOf } = requesting;
  const values = argumentsOf('having', of);
  return Object.entries(having).flatMap(([name, value]): readonly RequestedCondition[] => {
    const condition = combined(name, value, (part) => requestedConditions(requesting, part));
    if (condition) return [condition];
    if (name === 'count') return [compared(requestedValue(name, '', values), value)];
    const termOf = name === 'key' ? keyTermOf(keys) : valueTermOf(groupable, name === 'measures' ? 'measure' : (name as Aggregate), values);
    return conditionsOn(termOf, value as Input);
  });
};

/** The requested groups and their order. Throws 422 for arguments that do not match the selection. */
export const groupsOf = (
  catalogue: Catalogue,
  { groups, fields }: ConnectionSelection & { readonly groups: GroupsSelection },
  { having, orderBy, topPer }: Input,
  variables: Input,
): { readonly groups: Groups; readonly order: readonly OrderTerm[] } => {
  const keys = groups.keys.map(({ selected, ...key }): RequestedKey => {
    const { bucket } = selected.argumentsOf(variables) as { readonly bucket?: string | null };
    return { ...key, bucket: bucket ?? undefined };
  });
  const { groupable, named } = groups;
  const read = (selected: SelectedField): ReturnType<ArgumentsOfValue> => {
    const { filter, percent } = selected.argumentsOf(variables) as { readonly filter?: unknown; readonly percent?: number };
    return { where: conditionOf(catalogue, groupable.table, filter), percent };
  };
  const argumentsOf: ArgumentsOfValue = (part, of) => {
    if (of === undefined || of === null) return {};
    const selected = named.get(of as string);
    if (!selected) throw wrong(part, `${clipped(of as string, 80)} is not a selected value with arguments`);
    return read(selected);
  };
  const top = (topPer ?? undefined) as { readonly by: readonly Input[]; readonly first: number } | undefined;
  const request = {
    keys,
    values: groups.values.map(({ is, of, selected }) => requestedValue(is, of, selected ? read(selected) : {})),
    order: ((orderBy ?? []) as readonly Input[]).map((step) => requestedOrder(step, argumentsOf)),
    having: having ? requestedConditions({ groupable, keys, argumentsOf }, having as Input) : [],
    top: top && { by: top.by.map((key) => keyReference('top', key)), first: top.first },
    isCounted: fields.some(({ is }) => is === 'totalCount'),
  };
  return resolveGroups(request, groupable, (part, error) => {
    throw wrong(part, reasonOf(error));
  });
};
