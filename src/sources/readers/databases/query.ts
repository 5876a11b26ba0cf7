/** A query, and the value for its parameter. */
export interface Query {
  readonly text: string;
  readonly values: readonly string[];
  readonly name: string;
}
