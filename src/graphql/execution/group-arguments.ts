/** Translates the arguments of a groups field into the groups of a plan (contract: groups in GraphQL). */
import type { Table } from '../../catalogue/table.ts';
import { ApiError } from '../../errors.ts';
import type { Condition } from '../../plan/condition.ts';
import {
  type Aggregate,
  aggregatableColumns,
  aggregateOf,
  type Bucket,
  countTerm,
  type GroupExpression,
  type GroupKey,
  type Groups,
  type GroupValue,
  groupBounds,
  groupOrder,
  keyTerm,
  maxJoins,
  measureOf,
  nameOf,
  pathsOf,
  valueTerm,
} from '../../plan/groups.ts';
import { prefixesOf } from '../../plan/paths.ts';
import type { OrderTerm } from '../../plan/plan.ts';
import { validationTexts } from '../../plan/validation-errors.ts';
import { columnsByField, comparison } from '../schema/filters.ts';
import { camelCase } from '../schema/names.ts';
import type { ConnectionSelection, GroupsSelection } from '../selection/selection.ts';

type Input = Readonly<Record<string, unknown>>;
type Key = GroupKey & { readonly path: string };

const wrong = (argument: string, why: string) => new ApiError('invalidParameter', `${argument}: ${why}`);

/** The inputs for reading the arguments of one field. */
interface Arguments {
  readonly table: Table;
  readonly keys: readonly Key[];
  readonly values: GroupValue[];
  readonly formulas: GroupsSelection['formulas'];
}

/** The key of this path and bucket. Without a bucket, the plain column if it is selected, otherwise its first selected bucket. */
const keyAt = ({ keys }: Arguments, argument: string, path: string, bucket?: Bucket): Key => {
  const found = keys.filter((each) => each.path === path && (bucket === undefined || each.bucket === bucket));
  const key = found.find((each) => each.bucket === bucket) ?? found[0];
  if (!key) throw wrong(argument, `${path} is not selected under key`);
  if (key.bucket !== bucket && found.some((each) => each.bucket !== key.bucket))
    throw wrong(argument, `${path} is selected with several buckets; name one`);
  return key;
};

/** The key that an input names: a column of the table or of a related table. */
const keyOf = (reading: Arguments, argument: string, input: Input, path = ''): Key => {
  const { bucket, ...named } = input;
  const [only, ...others] = Object.entries(named);
  if (!only || only[1] === null || others.length > 0) throw wrong(argument, 'a key is exactly one column');
  const [name, value] = only;
  if (name !== 'column') return keyOf(reading, argument, value as Input, `${path}${name}.`);
  return keyAt(reading, argument, `${path}${camelCase(value as string)}`, (bucket ?? undefined) as Bucket | undefined);
};

const figureOf = ({ table, formulas }: Arguments, argument: string, name: string, column: string): GroupExpression => {
  if (name === 'measure') return measureOf(formulas.get(column)!);
  if (!aggregatableColumns(table, name as Aggregate).includes(column)) throw wrong(argument, `${camelCase(column)} has no ${name}`);
  return aggregateOf(table, name as Aggregate, column);
};

const termOf = (reading: Arguments, step: Input): OrderTerm => {
  const { direction, ...named } = step;
  const given = Object.entries(named).filter(([, value]) => value !== null && value !== false);
  const [only, ...others] = given;
  if (!only || others.length > 0) throw wrong('orderBy', 'a step is exactly one key or value');
  const [name, value] = only;
  const isDescending = direction === 'DESC';
  if (name === 'count') return { ...countTerm, isDescending };
  if (name === 'key') return { ...keyTerm(keyOf(reading, 'orderBy', value as Input)), isDescending };
  const own = nameOf(reading.values, figureOf(reading, 'orderBy', name, value as string));
  return { ...valueTerm(reading.values.find((each) => each.name === own)!), isDescending };
};

const allOf = (conditions: readonly Condition[]): Condition => (conditions.length === 1 ? conditions[0]! : { is: 'and', of: conditions });

const compared = ({ column, kind }: Pick<OrderTerm, 'column' | 'kind'>, operators: unknown): readonly Condition[] => {
  return Object.entries(operators as Input).map(([operator, value]) => comparison(column, kind, operator, value));
};

/**
 * Finds the operand of a condition by the name in the filter. `path` holds the relations that lead to the column, each followed by a dot.
 */
type On = (path: string, column: string) => Pick<OrderTerm, 'column' | 'kind'> | undefined;

const onKeys =
  (reading: Arguments): On =>
  (path, field) => {
    const own = `${path}${field}`;
    const leadsOn = reading.keys.some((key) => key.path.startsWith(`${own}.`));
    return leadsOn ? undefined : keyTerm(keyAt(reading, 'having', own));
  };

const onFigures = (reading: Arguments, name: string): On => {
  const columns = columnsByField(reading.table);
  const measures = new Map([...reading.formulas.keys()].map((measure) => [camelCase(measure), measure]));
  return (path, field) => {
    const named = name === 'measure' ? measures.get(field) : columns.get(`${path}${field}`);
    if (named === undefined) throw wrong('having', `${path}${field} has no ${name}`);
    const own = nameOf(reading.values, figureOf(reading, 'having', name, named));
    return valueTerm(reading.values.find((each) => each.name === own)!);
  };
};

/** A condition that combines others; undefined for other names. */
const joining = (name: string, value: unknown, partsOf: (input: Input) => readonly Condition[]): Condition | undefined => {
  if (value === null) return { is: 'unknown' };
  if (name === 'not') return { is: 'not', of: allOf(partsOf(value as Input)) };
  if (name === 'and' || name === 'or') return { is: name, of: (value as Input[]).map((part) => allOf(partsOf(part))) };
  return undefined;
};

const partsOn = (on: On, filter: Input, path = ''): readonly Condition[] =>
  Object.entries(filter).flatMap(([name, value]): readonly Condition[] => {
    const joined = joining(name, value, (part) => partsOn(on, part, path));
    if (joined) return [joined];
    const term = on(path, name);
    return term ? compared(term, value) : partsOn(on, value as Input, `${path}${name}.`);
  });

const partsOf = (reading: Arguments, having: Input): readonly Condition[] =>
  Object.entries(having).flatMap(([name, value]): readonly Condition[] => {
    const joined = joining(name, value, (part) => partsOf(reading, part));
    if (joined) return [joined];
    if (name === 'count') return compared(countTerm, value);
    if (name === 'key') return partsOn(onKeys(reading), value as Input);
    return partsOn(onFigures(reading, name === 'measures' ? 'measure' : name), value as Input);
  });

/** The requested groups and their order. Throws 422 for arguments that do not match the selection. */
export const groupsRequest = (
  { level, groups, fields }: ConnectionSelection & { readonly groups: GroupsSelection },
  { having, orderBy, topPer }: Input,
  variables: Input,
): { readonly groups: Groups; readonly order: readonly OrderTerm[] } => {
  const keys = groups.keys.map(({ asked, ...key }): Key => {
    const { bucket } = asked.argumentsOf(variables) as { readonly bucket?: Bucket | null };
    return { ...key, ...(bucket && { bucket }) };
  });
  const reading: Arguments = { table: level.table, keys, values: [...groups.values], formulas: groups.formulas };
  const own = keys.map(({ path: _path, ...key }) => key);
  const order = groupOrder(
    own,
    ((orderBy ?? []) as Input[]).map((step) => termOf(reading, step)),
  );
  const conditions = having ? partsOf(reading, having as Input) : [];
  const { by, first } = (topPer ?? { by: [] }) as { readonly by: readonly Input[]; readonly first: number };
  if (topPer && by.length === 0) throw wrong('topPer', 'by names no key');
  if (first < groupBounds.min) throw wrong('topPer', validationTexts.below(groupBounds.min));
  if (first > groupBounds.max) throw wrong('topPer', validationTexts.above(groupBounds.max));
  const asked: Groups = {
    keys: own,
    values: reading.values,
    having: conditions.length > 0 ? allOf(conditions) : undefined,
    top: topPer ? { by: by.map((key) => keyOf(reading, 'topPer', key).name), first } : undefined,
    isCounted: fields.some(({ is }) => is === 'totalCount'),
  };
  if (prefixesOf(pathsOf(asked)).size > maxJoins) throw wrong('key', `at most ${maxJoins} relations can be followed`);
  return { groups: asked, order };
};
