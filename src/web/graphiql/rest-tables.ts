/** The REST tables of the GraphiQL page, from the catalogue: the REST endpoint of each connection. */
import type { Catalogue } from '../../catalogue/index.ts';
import { cursorColumn, pathOfTable } from '../../catalogue/table.ts';
import { bounds } from '../../graphql/document/limits.ts';
import { byIdName, camelCase, groupsName } from '../../graphql/schema/names.ts';
import type { RestFacts } from './rest-facts.ts';

export const restFacts = ({ tables, relations }: Catalogue): RestFacts => ({
  standardFirst: bounds.first.standard,
  tables: Object.fromEntries(
    [...tables.values()].map((table) => [
      camelCase(table.name),
      {
        name: table.name,
        path: pathOfTable(table),
        key: table.key,
        byIdField: byIdName(table.name),
        groupsField: groupsName(camelCase(table.name)),
        columns: Object.fromEntries(Object.keys(table.columns).map((column) => [camelCase(column), column])),
        filters: table.filters,
        requiredFilters: table.requiredFilters,
        sort: table.sort,
        hasCursor: cursorColumn(table) !== undefined,
        relations: Object.fromEntries(
          (relations.get(table.name) ?? []).map(({ name, target, column, targetColumn }) => [
            name,
            { field: camelCase(target), column, targetColumn },
          ]),
        ),
      },
    ]),
  ),
});
