/** The REST tables in the form that the GraphiQL page needs. The server and the page share only these types. */

export interface RestRelation {
  /** The connection of the related rows. */
  readonly field: string;
  /** The columns of the row and of the related rows that must be equal. */
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
  /** Relations by field. */
  readonly relations: Readonly<Record<string, RestRelation>>;
}

export interface RestFacts {
  /** The number of rows of a connection without `first`. */
  readonly standardFirst: number;
  /** Tables by the field of their connection. */
  readonly tables: Readonly<Record<string, RestTable>>;
}
