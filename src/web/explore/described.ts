/** What `GET /explore/description` contains. The service and the page share these types (contract: explore description). */
import type { Kind } from '../../catalogue/column.ts';
import type { FigureName, FigureUnit } from '../../catalogue/measures/figures.ts';
import type { Text } from '../../catalogue/texts/presentation.ts';
import type { Unit } from '../../catalogue/texts/units.ts';
import type { Category } from '../../catalogue/tiers.ts';

export type { LanguageCode } from '../browser/values.ts';

export interface DescribedColumn {
  readonly name: string;
  readonly label: Text;
  readonly kind: Kind;
  readonly meaning: Text;
  /** The name of its list in `codes`. */
  readonly codes?: string;
  /** The column counts or measures something, so it has sums and averages. */
  readonly isQuantity: boolean;
  readonly unit?: Unit;
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
  readonly unit: Unit;
  readonly definition: string;
  /** It exists only for the days of a series. */
  readonly needsDay: boolean;
}

export interface DescribedTable {
  readonly name: string;
  readonly category: Category;
  readonly label: Text;
  readonly purpose: Text;
  readonly key: string;
  /** The column that names a row. */
  readonly title: string;
  /** The columns with the first and the last day of a row, so that groups can be those of a day. Absent if the key reads none. */
  readonly validity?: readonly [from: string, to: string];
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
  /** The rows that figures count, such as open orders: addresses with days relative to a day. */
  readonly counted: readonly { readonly label: Text; readonly address: string }[];
  /** The columns that the figures of a row are asked by. None: rows have no figures. */
  readonly figureColumns: readonly string[];
}

export interface DescribedCode {
  readonly value: string;
  readonly label: Text;
}

/** A question of analysts, as an address of REST with days relative to a day (`catalogue/relative-days.ts`). */
export interface DescribedQuestion {
  readonly name: string;
  readonly title: Text;
  readonly address: string;
  /** The kind and the fields of its chart, if it is not the one that its groups suggest. */
  readonly chart?: readonly string[];
}

/** A value of a figure on a day. Null: there are no rows to compute it from. */
export interface FigurePoint {
  readonly day: string;
  readonly value: number | null;
}

export interface DescribedFigure {
  readonly name: FigureName;
  readonly label: Text;
  readonly unit: FigureUnit;
  /** The earlier value to compare with: that of the month before, or of the same month a year before. */
  readonly before: 'month' | 'year';
  /** The REST address of what is behind the figure. */
  readonly view: string;
}

/** What `GET /explore/figures` contains (contract: figures). */
export interface Figures {
  readonly day: string;
  /** The points of a figure are those of twelve months before the day and of the day, which is last; or the day alone. */
  readonly figures: readonly (DescribedFigure & { readonly points: readonly FigurePoint[] })[];
  /** The number of figures that the key may not read. */
  readonly leftOut: number;
}

export interface Description {
  /** The day with which figures and reports begin. */
  readonly day: string;
  readonly categories: readonly { readonly name: Category; readonly label: Text }[];
  readonly tables: readonly DescribedTable[];
  /** The tables whose rows people look for first. */
  readonly searched: readonly string[];
  readonly codes: Readonly<Record<string, readonly DescribedCode[]>>;
  readonly questions: readonly DescribedQuestion[];
}
