/**
 * Statements by shape: a text is built once for all plans that differ in nothing but their values, and a request only binds
 * those.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Asked } from './asked.ts';
import type { Condition } from './condition.ts';
import type { Plan } from './plan.ts';
import { build, deepOffset } from './query.ts';
import type { Place, Slot } from './select.ts';

/** Ready for `pg`: named, so that the server plans it once per connection; without a name it is planned each time. */
export interface BoundStatement {
  readonly text: string;
  readonly name: string;
  readonly values: readonly unknown[];
}

interface Shape {
  readonly text: string;
  readonly name: string;
  readonly places: readonly Place[];
}

const mebibyte = 2 ** 20;
/** Texts longer than this many characters are planned each time: kept, each takes a multiple of it in every backend. */
const longestNamed = 8_192;
const shapes = new LRUCache<string, Shape>({ maxSize: 8 * mebibyte, sizeCalculation: ({ text }, key) => text.length + key.length });

/** A condition without its values. */
const shapeOfCondition = (condition: Condition): unknown => {
  if (condition.is === 'and' || condition.is === 'or') return [condition.is, condition.of.map(shapeOfCondition)];
  if (condition.is === 'not') return ['not', shapeOfCondition(condition.of)];
  const { is, column: name, kind, by, expected } = condition as Partial<Record<'is' | 'column' | 'kind' | 'by' | 'expected', unknown>>;
  return [is, name, kind, by, expected];
};

/** A plan without its values, but for its limit and which of its position's values are null. */
const shapeOfPlan = ({ source, columns, where: condition, order, after, offset, along }: Plan): unknown => [
  source.schema,
  source.name,
  source.cursor?.column,
  columns,
  condition && shapeOfCondition(condition),
  order.map((each) => [each.column, each.isDescending, each.isNullable]),
  after?.map((value) => value === null),
  Math.sign(offset) + Number(offset >= deepOffset),
  along.map(({ on, link, plan }) => [on, link.column, shapeOfPlan(plan)]),
];

/**
 * The name of a statement follows from its text, so that the server plans each text once per connection; empty for one that
 * is not kept.
 */
const statementName = (text: string): string =>
  text.length > longestNamed ? '' : `s_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;

const shapeOf = (asked: Asked): Shape => {
  const { question, plan, limit, parents, changes } = asked;
  const link = parents && [parents.link.column, parents.link.isUnique];
  const key = JSON.stringify([question, limit, link, changes?.key.column, shapeOfPlan(plan)]);
  const known = shapes.get(key);
  if (known) return known;
  const { sql: text, parameters } = build(asked).compile();
  const shape = { text, name: statementName(text), places: parameters.map((parameter) => (parameter as Slot).value) };
  shapes.set(key, shape);
  return shape;
};

/** The statement that answers a question about a plan. */
export const statementFor = (asked: Asked): BoundStatement => {
  const { text, name, places } = shapeOf(asked);
  return { text, name, values: places.map((place) => place(asked)) };
};
