/** What `GET /explore/description` contains. The service and the page share these types (contract: explore description). */
import type { Kind } from '../../catalogue/column.ts';
import type { RelatedFigure, Text } from '../../catalogue/presentation.ts';
import type { Category } from '../../catalogue/tiers.ts';

export type LanguageCode = keyof Text;

export interface DescribedColumn {
  readonly name: string;
  readonly label: Text;
  readonly kind: Kind;
  readonly meaning: string;
  /** The name of its list in `codes`. */
  readonly codes?: string;
  /** It counts or measures something, so it has sums and averages. */
  readonly isQuantity: boolean;
  /** A sum over rows has no meaning. */
  readonly isRate: boolean;
}

export interface DescribedRelation {
  /** In the spelling of REST. */
  readonly name: string;
  readonly label: Text;
  readonly kind: 'to-one' | 'to-many';
  readonly column: string;
  readonly target: string;
  readonly targetColumn: string;
}

export interface DescribedMeasure {
  readonly name: string;
  readonly label: Text;
  readonly unit: string;
  readonly definition: string;
}

export interface DescribedTable {
  readonly name: string;
  readonly category: Category;
  readonly label: Text;
  readonly purpose: Text;
  readonly key: string;
  /** The column that names a row. */
  readonly title: string;
  /** Whether its rows have a first and a last day, so that groups can be those of a day. */
  readonly hasValidity: boolean;
  /** Whether the key may read the table as a file. */
  readonly hasFiles: boolean;
  /** The columns of names, numbers and addresses. */
  readonly search: readonly string[];
  /** The columns that people see first. */
  readonly first: readonly string[];
  readonly required: readonly string[];
  readonly columns: readonly DescribedColumn[];
  readonly relations: readonly DescribedRelation[];
  readonly measures: readonly DescribedMeasure[];
  readonly figures: readonly RelatedFigure[];
}

export interface DescribedCode {
  readonly value: string;
  readonly label: Text;
}

/** A question of analysts, as an address of REST. */
export interface DescribedQuestion {
  readonly name: string;
  readonly title: Text;
  readonly path: string;
}

export interface Description {
  readonly categories: readonly { readonly name: Category; readonly label: Text }[];
  readonly tables: readonly DescribedTable[];
  /** The tables whose rows people look for first. */
  readonly searched: readonly string[];
  readonly codes: Readonly<Record<string, readonly DescribedCode[]>>;
  readonly questions: readonly DescribedQuestion[];
}
