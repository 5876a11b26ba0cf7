/** Names in the schema. They follow from the names in the catalogue (contract: GraphQL names). */

/** `order_id` → `orderId`, `hierarchy_1` → `hierarchy1`. */
export const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The type of one row: `orders` → `Order`, `properties` → `Property`, `index_rent` → `IndexRent`. */
export const rowTypeName = (table: string): string =>
  upperFirst(camelCase(table))
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '');

/** The field of a coded column's label: `order_type` → `orderTypeLabel`. */
export const labelName = (column: string): string => `${camelCase(column)}Label`;

/** The root field of one row by key: `orders` → `orderById`. */
export const byIdName = (table: string): string => {
  const name = rowTypeName(table);
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}ById`;
};

/** The groups field of a list of rows: `orders` → `ordersGroups`. */
export const groupsName = (list: string): string => `${list}Groups`;
