/** A view of rows as a GraphQL document, and the document that counts the related rows of a row. */
import { byIdName, camelCase, upperFirst } from '../../../../graphql/schema/names.ts';
import { calls, connectives } from '../../../../plan/vocabulary/operators.ts';
import type { DescribedColumn, DescribedTable, Description } from '../../described.ts';
import { itemOf, textsOfItems } from './conditions.ts';
import { pathsRead } from './row-functions.ts';
import { findColumn, toMany } from './tables.ts';
import type { View } from './view.ts';

const literal = (text: string, { kind }: DescribedColumn): string =>
  ['integer', 'bigint', 'number', 'boolean'].includes(kind) ? text : JSON.stringify(text);

/** An object around a value, along the names of a path: `property: { federalState: … }`. */
const nested = (path: string, value: string): string =>
  path.split('.').reduceRight((inner, name) => `{ ${camelCase(name)}: ${inner} }`, value);

/** The filter of a condition. Undefined if it is about rows of a relation to many rows. */
const filterOf = (condition: string, table: DescribedTable, description: Description): string | undefined => {
  const item = itemOf(condition);
  if (item?.is === 'joined') {
    const parts = item.of.map(({ text }) => filterOf(text, table, description));
    return parts.includes(undefined) ? undefined : `{ ${connectives[item.by].is}: [${parts.join(', ')}] }`;
  }
  if (item?.is !== 'compared' && item?.is !== 'called') return undefined;
  const found = findColumn(description, table, item.name);
  if (!found) return undefined;
  if (item.is === 'compared') return nested(item.name, `{ ${item.by}: ${literal(item.value, found.column)} }`);
  const { operator, isNegated } = calls.get(item.call) ?? {};
  if (operator === undefined) return undefined;
  if (operator === 'isNull') return nested(item.name, `{ isNull: ${!isNegated} }`);
  const values = textsOfItems(item.of);
  const filter = nested(
    item.name,
    operator === 'in'
      ? `{ in: [${values.map((value) => literal(value, found.column)).join(', ')}] }`
      : `{ ${operator}: ${JSON.stringify(values[0] ?? '')} }`,
  );
  return isNegated ? `{ not: ${filter} }` : filter;
};

/** Columns as a selection. Columns of one related row share their object. */
const selectionOf = (paths: readonly string[], indent: string): string => {
  const inner = new Map<string, string[]>();
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.');
    inner.set(name, [...(inner.get(name) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])]);
  }
  return [...inner]
    .map(([name, rest]) =>
      rest.length === 0 ? `${indent}${camelCase(name)}` : `${indent}${camelCase(name)} {\n${selectionOf(rest, `${indent}  `)}\n${indent}}`,
    )
    .join('\n');
};

/** The document of a view of rows, with the columns that functions read. Undefined if it cannot have one of the conditions or orders. */
export const documentOf = (view: View, table: DescribedTable, shown: readonly string[], description: Description): string | undefined => {
  const filters = view.where.map((condition) => filterOf(condition, table, description));
  const computed = shown.filter((text) => pathsRead(text)[0] !== text).map((text) => text.split(':')[0]);
  const ordersByComputed = view.order.some((name) => computed.includes(name.replace(/^-/, '')));
  if (view.shows === 'groups' || filters.includes(undefined) || ordersByComputed) return undefined;
  const filter = filters.length > 1 ? `{ and: [${filters.join(', ')}] }` : filters[0];
  const order = view.order.map((name) => (name.startsWith('-') ? nested(name.slice(1), 'DESC') : nested(name, 'ASC')));
  const parts = [
    'first: 100',
    ...(filter === undefined ? [] : [`filter: ${filter}`]),
    ...(order.length > 0 ? [`orderBy: [${order.join(', ')}]`] : []),
  ];
  const name = camelCase(table.name);
  return `query ${upperFirst(name)} {
  ${name}(${parts.join(', ')}) {
    totalCount
    nodes {
${selectionOf([...new Set(shown.flatMap(pathsRead))], '      ')}
    }
  }
}
`;
};

/** The document whose `row` has the number of rows of each relation to many rows, by its name in GraphQL. */
export const countsDocument = (table: DescribedTable, key: string): string | undefined => {
  const column = table.columns.find(({ name }) => name === table.key);
  const relations = toMany(table);
  if (!column || relations.length === 0) return undefined;
  const counts = relations.map(({ name }) => `${camelCase(name)}(first: 1) { totalCount }`);
  return `{ row: ${byIdName(table.name)}(${camelCase(table.key)}: ${literal(key, column)}) { ${counts.join(' ')} } }`;
};
