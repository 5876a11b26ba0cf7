/**
 * Everything in a plan that refers to a column, other than the columns that it returns. Data versions, cached responses and checks of columns
 * all follow from this walk, so a new expression is added here once.
 */
import type { DataScope } from '../catalogue/data-scope.ts';
import type { Table } from '../catalogue/table.ts';
import { ApiError } from '../errors.ts';
import type { Condition } from './condition.ts';
import { type Formula, type GroupExpression, type Groups, othersOf, pathsIn, pathsOver } from './groups/groups.ts';
import { type Path, pathsRead, type RelationStep } from './paths.ts';

export interface ColumnReference {
  readonly table: string;
  readonly column: string;
  /** The column is a limit of the validity of rows. Null is no limit. */
  readonly isLimit?: true;
  /** The column is that by which a relation finds its rows. Nothing in the plan names it. */
  readonly isTarget?: true;
}

/** The columns that a relation joins: the named one and its target. */
const referencesOfStep = (table: string, { column, target, targetColumn }: RelationStep): readonly ColumnReference[] => [
  { table, column },
  { table: target, column: targetColumn, isTarget: true },
];

export const referencesOfCondition = (table: string, condition: Condition): readonly ColumnReference[] => {
  switch (condition.is) {
    case 'and':
    case 'or':
      return condition.of.flatMap((part) => referencesOfCondition(table, part));
    case 'not':
      return referencesOfCondition(table, condition.of);
    case 'related':
    case 'counted':
      return [...referencesOfStep(table, condition), ...referencesOfCondition(condition.target, condition.of)];
    case 'applied':
      return condition.of.flatMap((path) => referencesOfPath(table, path));
    case 'validOnDay':
      return [
        { table, column: condition.from, isLimit: true },
        { table, column: condition.to, isLimit: true },
      ];
    case 'unknown':
      return [];
    case 'null':
    case 'compared':
    case 'among':
    case 'found':
      return [{ table, column: condition.column }];
  }
};

const referencesOfPath = (table: string, { via, column }: Path): readonly ColumnReference[] => {
  const references: ColumnReference[] = [];
  let at = table;
  for (const step of via) {
    references.push(...referencesOfStep(at, step));
    at = step.target;
  }
  return [...references, { table: at, column }];
};

const referencesOfFormula = (table: string, formula: Formula): readonly ColumnReference[] =>
  pathsIn(formula).flatMap((path) => referencesOfPath(table, path));

const referencesOfValue = (table: string, value: GroupExpression): readonly ColumnReference[] => {
  if (value.is === 'measure') return referencesOfFormula(value.over?.table ?? table, value.formula);
  return [
    ...pathsOver(value).flatMap((path) => referencesOfPath(table, path)),
    ...(value.where ? referencesOfCondition(table, value.where) : []),
  ];
};

/** `having` and the order refer to keys and values. Keys and the condition on rows also apply to the rows of other tables. */
const referencesOfGroups = (table: string, { keys, values }: Groups, where: Condition | undefined): readonly ColumnReference[] => [
  ...keys.flatMap((key) => (key.series ? [{ table, column: key.column, isLimit: true as const }] : referencesOfPath(table, key))),
  ...values.flatMap((value) => referencesOfValue(table, value)),
  ...othersOf(values).flatMap((other) => [
    ...keys.flatMap((key) => referencesOfPath(other.table, key)),
    ...referencesOfFormula(other.table, other.where),
    ...(where ? referencesOfCondition(other.table, where) : []),
  ]),
];

type AggregateOfRelated = Path & RelationStep & { readonly aggregate: GroupExpression };
type OtherValue = Path | { readonly of: readonly Path[] } | AggregateOfRelated;

const referencesOfOther = (table: string, value: OtherValue): readonly ColumnReference[] => {
  const references = pathsRead<Path>(value).flatMap((path) => referencesOfPath(table, path));
  if (!('aggregate' in value)) return references;
  const { target, targetColumn, aggregate } = value;
  return [...references, { table: target, column: targetColumn }, ...referencesOfValue(target, aggregate)];
};

/** The parts of a plan that refer to columns. */
export interface Referring {
  readonly source: { readonly name: string };
  readonly where: Condition | undefined;
  readonly order: readonly { readonly column: string }[];
  /** Columns of related rows, functions of columns and aggregates of related rows, by the name that the order has for them. */
  readonly relatedColumns?: readonly ({ readonly name: string } & OtherValue)[] | undefined;
  readonly groups?: Groups | undefined;
}

/** The related columns that the order of a plan refers to. The others are only shown. */
export const relatedInOrder = <T extends { readonly name: string }>({
  order,
  relatedColumns = [],
}: {
  readonly order: Referring['order'];
  readonly relatedColumns?: readonly T[] | undefined;
}): readonly T[] => relatedColumns.filter(({ name }) => order.some(({ column }) => column === name));

/**
 * The columns in the plan's condition, order and groups, its related columns, functions and aggregates, and the relations that lead to them. Joined rows have plans of
 * their own.
 */
export const referencesOf = ({ source: { name }, where, order, relatedColumns = [], groups }: Referring): readonly ColumnReference[] => [
  ...(where ? referencesOfCondition(name, where) : []),
  ...relatedColumns.flatMap((value) => referencesOfOther(name, value)),
  ...(groups
    ? referencesOfGroups(name, groups, where)
    : order.flatMap(({ column }) => (relatedColumns.some((related) => related.name === column) ? [] : [{ table: name, column }]))),
];

/** The columns without whose values a plan has no answer: those that it refers to and those that it returns, but no limits. */
export const columnsNeeded = (plan: Referring & { readonly columns: readonly string[] }): readonly ColumnReference[] => {
  const { source, columns, groups, relatedColumns = [] } = plan;
  const own = groups ? [] : columns.filter((name) => !relatedColumns.some((related) => related.name === name));
  return [...referencesOf(plan).filter(({ isLimit }) => !isLimit), ...own.map((column) => ({ table: source.name, column }))];
};

/**
 * Throws `invalidParameter` if a plan of a caller with a data scope uses a hidden column in a condition, an order or a group, because its
 * values could be guessed from the answers (contract: personal columns). An aggregate of related rows is a group of them. Rows may have
 * hidden columns: they are null there. `tables` are
 * those of the caller's catalogue. `messageFor` returns the message about a column.
 */
export const refuseHidden = (
  plan: Referring & { readonly source: { readonly scope?: DataScope | undefined } },
  tables: ReadonlyMap<string, Pick<Table, 'columns'>>,
  messageFor: (column: string, violation: string) => string,
): void => {
  if (!plan.source.scope) return;
  const inOrder = relatedInOrder(plan);
  const relatedColumns = plan.relatedColumns?.filter((each) => 'aggregate' in each || inOrder.includes(each));
  for (const { table, column } of referencesOf({ ...plan, relatedColumns })) {
    const { isHidden, personal } = tables.get(table)?.columns[column] ?? {};
    if (isHidden)
      throw new ApiError(
        'invalidParameter',
        messageFor(column, `Personal data (${personal}) that the key may not read; no filter, order or group can use it`),
      );
  }
};
