/** Writes the rows of a plan as a query string: the inverse of `rows.ts` (contract: conditions, order and columns of rows). */
import type { Table } from '../../catalogue/table.ts';
import type { Path } from '../../plan/paths.ts';
import { type OrderTerm, orderBy, type Plan } from '../../plan/plan.ts';
import { type RelationsOf, withQueryNames } from '../relation-names.ts';
import { refuse, writtenConditions, writtenPath } from './conditions.ts';

/** The fewest terms of the order that give it: pages add the sort key by themselves. */
export const requestedOrder = ({ order }: Pick<Plan, 'order'>, table: Table): readonly OrderTerm[] => {
  const whole = JSON.stringify(order);
  const count = order.findIndex((_, at) => JSON.stringify(orderBy(table, order.slice(0, at))) === whole);
  return order.slice(0, count < 0 ? undefined : count);
};

const writtenOrder = (plan: Plan, table: Table, relationsOf: RelationsOf): readonly string[] =>
  requestedOrder(plan, table).map(({ column, isDescending }) => {
    const related = plan.relatedColumns?.find(({ name }) => name === column);
    return `${isDescending ? '-' : ''}${related && 'via' in related ? writtenPath(table.name, related, relationsOf) : column}`;
  });

/** The query string of a plan for rows, without its page. Throws `Unwritable` if query strings cannot say a part of the plan. */
export const writtenRows = (plan: Plan, table: Table, columns: readonly Path[], relations: RelationsOf): URLSearchParams => {
  if (plan.isBackward) refuse('REST reads pages from the start only');
  const relationsOf = withQueryNames(relations);
  const lists = {
    columns: new Set(columns.map((path) => writtenPath(table.name, path, relationsOf))),
    where: writtenConditions(plan.where, table.name, relationsOf),
    order: writtenOrder(plan, table, relationsOf),
  };
  const query = new URLSearchParams();
  for (const [name, items] of Object.entries(lists)) {
    const text = [...items].join();
    if (text !== '') query.set(name, text);
  }
  return query;
};

/** An address with a query string. The signs of the grammar have no percent-encoding. */
export const writtenAddress = (path: string, query: URLSearchParams): string => {
  const text = query.toString().replaceAll(/%2C|%3A|%28|%29/g, (code) => decodeURIComponent(code));
  return text === '' ? path : `${path}?${text}`;
};

/** The address of a plan's page. */
export const writtenPage = (path: string, query: URLSearchParams, { limit, offset }: Plan): string => {
  const page = new URLSearchParams([...query, ['limit', String(limit)], ...(offset > 0 ? [['offset', String(offset)]] : [])]);
  return writtenAddress(path, page);
};
