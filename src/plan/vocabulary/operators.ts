/**
 * The operators of conditions: their names, arguments, forms in query strings, meanings and examples. Both APIs, their descriptions and the
 * guide derive from these lists. An operator without a form in query strings does not compile.
 */
import type { Kind } from '../../catalogue/column.ts';
import { kinds } from '../../catalogue/kinds.ts';

/** How a query string has an operator: a sign between name and value, or a call. `negated` is the call for the negation. */
type QueryForm = { readonly sign: string } | { readonly call: string; readonly negated?: string };

interface OperatorMeaning {
  /** What it takes: a value of the column's kind, several of them, a text, or nothing. */
  readonly takes: 'value' | 'values' | 'text' | 'nothing';
  /** The columns that it applies to. */
  readonly on: 'all' | 'ordered' | 'text';
  readonly query: QueryForm;
  /** The operator of SQL, for comparisons with one value. */
  readonly sql?: string;
  /** The pattern of a text search. The value is literal and has no wildcards. */
  readonly search?: { readonly before: '%' | ''; readonly after: '%' | ''; readonly isCaseless: boolean };
  readonly meaning: string;
  /** In a query string. */
  readonly example: string;
}

/** The operators, by their names in GraphQL. */
export const operators = {
  eq: { takes: 'value', on: 'all', sql: '=', query: { sign: '=' }, meaning: 'Equals; null matches nothing.', example: 'status=new' },
  ne: {
    takes: 'value',
    on: 'all',
    sql: '<>',
    query: { sign: '!=' },
    meaning: 'Differs; a null never matches.',
    example: 'status!=closed',
  },
  gt: { takes: 'value', on: 'ordered', sql: '>', query: { sign: '>' }, meaning: 'Is greater.', example: 'total_net>1000' },
  gte: {
    takes: 'value',
    on: 'ordered',
    sql: '>=',
    query: { sign: '>=' },
    meaning: 'Is greater or equal.',
    example: 'order_date>=2025-01-01',
  },
  lt: { takes: 'value', on: 'ordered', sql: '<', query: { sign: '<' }, meaning: 'Is less.', example: 'balance<0' },
  lte: {
    takes: 'value',
    on: 'ordered',
    sql: '<=',
    query: { sign: '<=' },
    meaning: 'Is less or equal.',
    example: 'order_date<=2025-12-31',
  },
  contains: {
    takes: 'text',
    on: 'text',
    search: { before: '%', after: '%', isCaseless: false },
    query: { call: 'contains', negated: 'not_contains' },
    meaning: 'Contains this text, case respected; no wildcards.',
    example: 'subject:contains(roof)',
  },
  startsWith: {
    takes: 'text',
    on: 'text',
    search: { before: '', after: '%', isCaseless: false },
    query: { call: 'starts_with', negated: 'not_starts_with' },
    meaning: 'Starts with this text, case respected; no wildcards.',
    example: 'subject:starts_with(Roof)',
  },
  endsWith: {
    takes: 'text',
    on: 'text',
    search: { before: '%', after: '', isCaseless: false },
    query: { call: 'ends_with', negated: 'not_ends_with' },
    meaning: 'Ends with this text, case respected; no wildcards.',
    example: 'subject:ends_with(roof)',
  },
  iContains: {
    takes: 'text',
    on: 'text',
    search: { before: '%', after: '%', isCaseless: true },
    query: { call: 'icontains', negated: 'not_icontains' },
    meaning: 'Contains this text in any case; no wildcards.',
    example: 'subject:icontains(roof)',
  },
  iStartsWith: {
    takes: 'text',
    on: 'text',
    search: { before: '', after: '%', isCaseless: true },
    query: { call: 'istarts_with', negated: 'not_istarts_with' },
    meaning: 'Starts with this text in any case; no wildcards.',
    example: 'subject:istarts_with(roof)',
  },
  iEndsWith: {
    takes: 'text',
    on: 'text',
    search: { before: '%', after: '', isCaseless: true },
    query: { call: 'iends_with', negated: 'not_iends_with' },
    meaning: 'Ends with this text in any case; no wildcards.',
    example: 'subject:iends_with(roof)',
  },
  in: {
    takes: 'values',
    on: 'all',
    query: { call: 'in', negated: 'not_in' },
    meaning: 'Equals one of these.',
    example: 'status:in(accepted,closed)',
  },
  isNull: {
    takes: 'nothing',
    on: 'all',
    query: { call: 'is_null', negated: 'is_not_null' },
    meaning: 'Is null (true), or is not (false).',
    example: 'closed_date:is_null',
  },
} as const satisfies Readonly<Record<string, OperatorMeaning>>;

export type Operator = keyof typeof operators;
type OperatorWith<Property extends string> = {
  [Name in Operator]: Property extends keyof (typeof operators)[Name] ? Name : never;
}[Operator];
/** An operator that compares with one value. */
export type ComparisonOperator = OperatorWith<'sql'>;
/** An operator that searches text. */
export type Search = OperatorWith<'search'>;

export const operatorNames = Object.keys(operators) as readonly Operator[];
export const isComparison = (name: Operator): name is ComparisonOperator => 'sql' in operators[name];
export const isSearch = (name: Operator): name is Search => 'search' in operators[name];
export const comparisons: readonly ComparisonOperator[] = operatorNames.filter(isComparison);
export const searches: readonly Search[] = operatorNames.filter(isSearch);

/** The operators that apply to values of a kind. */
export const operatorsOn = (kind: Kind): readonly Operator[] => {
  const { isOrdered, isText } = kinds[kind];
  return operatorNames.filter((name) => {
    const { on } = operators[name];
    return on === 'all' || (on === 'ordered' ? isOrdered : isText);
  });
};

interface QuantifierMeaning {
  /** How many related rows must meet a condition. A row with an unknown result does not meet it. */
  readonly by: 'some' | 'none' | 'every';
  /** Only rows that are valid on the day of a series count. */
  readonly isValidOnDay: boolean;
  readonly call: string;
  readonly meaning: string;
  readonly example: string;
}

/** Conditions on related rows, by their names in GraphQL. */
export const quantifiers = {
  some: {
    by: 'some',
    isValidOnDay: false,
    call: 'some',
    meaning: 'There is a row for which this holds.',
    example: 'orders:some(status=new)',
  },
  none: {
    by: 'none',
    isValidOnDay: false,
    call: 'none',
    meaning: 'There is no row for which this holds.',
    example: 'orders:none(status!=closed)',
  },
  every: {
    by: 'every',
    isValidOnDay: false,
    call: 'every',
    meaning: 'This holds for every row; so it does where there are none.',
    example: 'orders:every(status=closed)',
  },
  someValid: {
    by: 'some',
    isValidOnDay: true,
    call: 'some_valid',
    meaning: 'There is a row that is valid on the day of the series, and this holds for it; only in groups with `asOf`.',
    example: 'tenants:some_valid(status=active)',
  },
  noneValid: {
    by: 'none',
    isValidOnDay: true,
    call: 'none_valid',
    meaning: 'There is no row that is valid on the day of the series and for which this holds; only in groups with `asOf`.',
    example: 'tenants:none_valid(status=active)',
  },
} as const satisfies Readonly<Record<string, QuantifierMeaning>>;

export type QuantifierName = keyof typeof quantifiers;
export type Quantifier = (typeof quantifiers)[QuantifierName]['by'];
export const quantifierNames = Object.keys(quantifiers) as readonly QuantifierName[];

/** The number of related rows that meet conditions, which a comparison follows. It has the same name in GraphQL. */
export const relatedCount = {
  call: 'count',
  kind: 'integer',
  meaning: 'So many rows there are for which this holds.',
  example: 'orders:count(status!=closed)>3',
} as const;

interface ConnectiveMeaning {
  readonly is: 'and' | 'or';
  readonly meaning: string;
  readonly example: string;
}

/** Conditions that are made of conditions, by their calls in query strings. Conditions of a list are joined by `and` without a call. */
export const connectives = {
  any: { is: 'or', meaning: 'At least one of these conditions is true.', example: 'any(status=new,total_net>1000)' },
  all: { is: 'and', meaning: 'All of these conditions are true.', example: 'any(status=new,all(trade=roofing,total_net>1000))' },
} as const satisfies Readonly<Record<string, ConnectiveMeaning>>;

export type Connective = keyof typeof connectives;
export const connectiveNames = Object.keys(connectives) as readonly Connective[];
export const isConnective = (name: string): name is Connective => Object.hasOwn(connectives, name);

/** The signs of comparisons in query strings. Longer signs come first, because a short sign can be the beginning of a longer one. */
export const signs: readonly (readonly [sign: string, by: ComparisonOperator])[] = comparisons
  .map((by) => [operators[by].query.sign, by] as const)
  .sort(([one], [other]) => other.length - one.length);

/** What a call in a query string means. */
export type CallMeaning = { readonly operator: Exclude<Operator, ComparisonOperator>; readonly isNegated: boolean };

type CallOf<Form> = Form extends { readonly call: infer Call }
  ? Call | (Form extends { readonly negated: infer Negated } ? Negated : never)
  : never;
/** An operator that is a call in query strings, such as `not_in`. */
export type CallName = CallOf<(typeof operators)[Operator]['query']> & string;

const callForms = operatorNames.flatMap((operator): readonly (readonly [string, CallMeaning])[] => {
  if (isComparison(operator)) return [];
  const { call, negated }: { readonly call: string; readonly negated?: string } = operators[operator].query;
  return [[call, { operator, isNegated: false }], ...(negated === undefined ? [] : [[negated, { operator, isNegated: true }] as const])];
});

/** The operators of query strings that are calls. */
export const calls: ReadonlyMap<string, CallMeaning> = new Map(callForms);
export const callNames: readonly string[] = [...calls.keys()];

/** The quantifiers of query strings. */
export const quantifierCalls: ReadonlyMap<string, QuantifierName> = new Map(quantifierNames.map((name) => [quantifiers[name].call, name]));
