/** The labels of columns and measures in the form that the GraphiQL page needs. The server and the page share this type. */

/** The labels of one field, in English and German. */
export interface FieldLabels {
  readonly en: string;
  readonly de: string;
  /** Whether a sum of its values has a meaning. */
  readonly isAdditive: boolean;
}

/** Labels by the field of a column or a measure. */
export type Labels = Readonly<Record<string, FieldLabels>>;
