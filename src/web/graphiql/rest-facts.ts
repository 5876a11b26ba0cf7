/** What the GraphiQL page needs to know about REST. The server and the page share these types alone. */

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
