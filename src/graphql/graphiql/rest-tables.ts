/** What GraphiQL's page knows of REST: for each connection, the page of rows beside it. Made from the catalogue. */
import type { Catalogue } from '../../catalogue/index.ts';
import { cursorColumn, pathOfTable } from '../../catalogue/table.ts';
import { bounds } from '../bounds.ts';
import { byIdName, camelCase, groupsName } from '../names.ts';

export interface RestRelation {
  /** The connection that has the rows it leads to. */
  readonly field: string;
  /** Of the row, and of the rows that it leads to: the same value. */
  readonly column: string;
  readonly targetColumn: string;
}

export interface RestTable {
  readonly name: string;
  readonly path: string;
  readonly key: string;
  readonly byIdField: string;
  readonly groupsField: string;
  /** Columns by their fields. */
  readonly columns: Readonly<Record<string, string>>;
  readonly filters: readonly string[];
  readonly requiredFilters: readonly string[];
  readonly sort: readonly string[];
  readonly hasCursor: boolean;
  /** By their fields. */
  readonly relations: Readonly<Record<string, RestRelation>>;
}

export interface RestFacts {
  /** Rows of a connection without `first`. */
  readonly standardFirst: number;
  /** By the fields of their connections. */
  readonly tables: Readonly<Record<string, RestTable>>;
}

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
