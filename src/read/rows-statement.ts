/**
 * How rows of one level are asked of the database: alone, for many parents at once, and counted (semantics 29).
 */
import { controlSchema } from '../database/control.ts';
import { qualify, quote } from '../database/identifier.ts';
import { conditionSql } from './condition.ts';
import type { JoinedRow, Link, OrderTerm, RowsPlan } from './rows-plan.ts';
import { type BoundStatement, deepOffset } from './statement.ts';
import { StatementText } from './statement-text.ts';

const column = (name: string) => `t.${quote(name)}`;
const from = ({ source }: Pick<RowsPlan, 'source'>) => `${qualify(source.schema, source.name)} as t`;
const list = (names: readonly string[]) => names.map(column).join(', ');

const direction = ({ column: name, isDescending, isNullable }: OrderTerm) =>
  `${column(name)}${isDescending ? ' desc' : ''}${isDescending && isNullable ? ' nulls last' : ''}`;
const ordered = (order: readonly OrderTerm[]) => (order.length > 0 ? ` order by ${order.map(direction).join(', ')}` : '');

/** Behind one value in one term's order; nothing is behind null. */
const behindOne = (term: OrderTerm, value: string | null, text: StatementText): string => {
  if (value === null) return 'false';
  const behind = `${column(term.column)} ${term.isDescending ? '<' : '>'} ${text.bind(value, term.kind)}`;
  return term.isNullable ? `(${behind} or ${column(term.column)} is null)` : behind;
};

const same = (term: OrderTerm, value: string | null, text: StatementText): string =>
  value === null ? `${column(term.column)} is null` : `${column(term.column)} = ${text.bind(value, term.kind)}`;

/** Rows behind the given one: behind in the first term, or level in that and behind in the rest. */
const behind = (order: readonly OrderTerm[], values: RowsPlan['after'], text: StatementText): string => {
  const [first, ...rest] = order;
  const [value = null, ...others] = values ?? [];
  if (!first) return 'false';
  const isPlain = order.every((term) => !term.isNullable && term.isDescending === first.isDescending);
  if (isPlain && rest.length > 0) {
    const bound = order.map((term, index) => text.bind(values?.[index], term.kind));
    return `(${list(order.map((term) => term.column))}) ${first.isDescending ? '<' : '>'} (${bound.join(', ')})`;
  }
  const ahead = behindOne(first, value, text);
  return rest.length === 0 ? ahead : `(${ahead} or (${same(first, value, text)} and ${behind(rest, others, text)}))`;
};

const conditions = (plan: RowsPlan, text: StatementText): string[] => [
  ...(plan.where ? [conditionSql(plan.where, column, text)] : []),
  ...(plan.after ? [behind(plan.order, plan.after, text)] : []),
];
const where = (parts: readonly string[]) => (parts.length > 0 ? ` where ${parts.join(' and ')}` : '');

/** The joins that bring the rows along which a plan's rows lead to, and their columns; depth first, as their values follow. */
const joinsTo = (plan: RowsPlan): { readonly joins: string; readonly columns: string } => {
  const joins: string[] = [];
  const columns: string[] = [];
  const add = (parent: string, joined: readonly JoinedRow[]) => {
    for (const { on, link, plan: there } of joined) {
      const alias = `j${joins.length + 1}`;
      const name = (column: string) => `${alias}.${quote(column)}`;
      joins.push(
        ` left join ${qualify(there.source.schema, there.source.name)} as ${alias} on ${name(link.column)} = ${parent}.${quote(on)}`,
      );
      columns.push(...[link.column, ...there.columns].map(name));
      add(alias, there.joined);
    }
  };
  add('t', plan.joined);
  return { joins: joins.join(''), columns: columns.map((name) => `, ${name}`).join('') };
};

/** What a plan's rows must carry to be joined and ordered once more. */
const carried = ({ columns, order }: RowsPlan, ...more: readonly string[]) =>
  list([...new Set([...more, ...columns, ...order.map((term) => term.column)])]);

/**
 * Reads `limit` rows of a plan. The limit stands in the text: bound, it would have the server plan anew each time, since no
 * plan for an unknown limit can rival one for a known one.
 */
export const rowsStatement = (plan: RowsPlan, key: string, limit: number): BoundStatement => {
  const text = new StatementText();
  const matching = `from ${from(plan)}${where(conditions(plan, text))}${ordered(plan.order)}`;
  const page = plan.order.length === 0 ? '' : ` limit ${limit}${plan.offset > 0 ? ` offset ${text.bind(plan.offset, 'bigint')}` : ''}`;
  const select = (columns: string) => {
    if (plan.offset < deepOffset) return `select ${columns} ${matching}${page}`;
    const keys = `select ${column(key)} ${matching}${page}`;
    return `select ${columns} from ${from(plan)} where ${column(key)} in (${keys})${ordered(plan.order)}`;
  };
  if (plan.joined.length === 0) return text.finish(select(list(plan.columns)));
  const { joins, columns } = joinsTo(plan);
  return text.finish(`select ${list(plan.columns)}${columns} from (${select(carried(plan))}) as t${joins}${ordered(plan.order)}`);
};

/** Reads the rows of many parents: at most `limit` for each, each row led by the value that links it to them. */
export const linkedStatement = (plan: RowsPlan, link: Link, values: readonly string[], limit: number): BoundStatement => {
  const text = new StatementText();
  const parents = text.bindAll(values, link.kind);
  const { joins, columns } = joinsTo(plan);
  if (link.isUnique) {
    const reached = [`${column(link.column)} = any(${parents})`, ...conditions(plan, text)];
    return text.finish(`select ${column(link.column)}, ${list(plan.columns)}${columns} from ${from(plan)}${joins}${where(reached)}`);
  }
  const reached = [`${column(link.column)} = p.value`, ...conditions(plan, text)];
  const rows = `select ${carried(plan)} from ${from(plan)}${where(reached)}${ordered(plan.order)} limit ${limit}`;
  const each = `unnest(${parents}) with ordinality as p(value, place) cross join lateral (${rows}) as t${joins}`;
  const order = ['p.place', ...plan.order.map(direction)].join(', ');
  return text.finish(`select p.value, ${list(plan.columns)}${columns} from ${each} order by ${order}`);
};

/** Counts the rows that match, whatever limit and offset; all rows of a table are counted when they are loaded. */
export const countStatement = (plan: RowsPlan): BoundStatement => {
  const text = new StatementText();
  if (plan.where) return text.finish(`select count(*) from ${from(plan)} where ${conditionSql(plan.where, column, text)}`);
  const { customerId, kind, name } = plan.source;
  return text.finish(
    `select row_count from ${qualify(controlSchema, 'datasets')} where customer_id = ${text.bind(customerId, 'integer')} and kind = ${text.bind(kind, 'string')} and name = ${text.bind(name, 'string')}`,
  );
};

/** Counts the rows of each parent; parents without rows are left out. */
export const linkedCountStatement = (plan: RowsPlan, link: Link, values: readonly string[]): BoundStatement => {
  const text = new StatementText();
  const reached = [
    `${column(link.column)} = any(${text.bindAll(values, link.kind)})`,
    ...(plan.where ? [conditionSql(plan.where, column, text)] : []),
  ];
  return text.finish(`select ${column(link.column)}, count(*) from ${from(plan)}${where(reached)} group by 1`);
};
