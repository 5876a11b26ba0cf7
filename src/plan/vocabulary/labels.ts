/** The names of conditions, and of values and keys of groups, for people, in English and in German. A name without a label does not compile. */
import type { BandName, Bucket } from './keys.ts';
import type { CallName, ComparisonOperator, Connective, QuantifierName } from './operators.ts';
import type { Aggregate, Computation, RowFunction } from './values.ts';

interface Label {
  readonly en: string;
  readonly de: string;
}

export const valueLabels = {
  count: { en: 'Count', de: 'Anzahl' },
  sum: { en: 'Sum', de: 'Summe' },
  sum_once: { en: 'Sum', de: 'Summe' },
  avg: { en: 'Average', de: 'Durchschnitt' },
  min: { en: 'Minimum', de: 'Minimum' },
  max: { en: 'Maximum', de: 'Maximum' },
  distinct: { en: 'Different values', de: 'Verschiedene' },
  median: { en: 'Median', de: 'Median' },
  stddev: { en: 'Standard deviation', de: 'Standardabweichung' },
  percentile: { en: 'Percentile', de: 'Perzentil' },
  measure: { en: 'Measure', de: 'Kennzahl' },
  days: { en: 'Days', de: 'Tage' },
  product: { en: 'Product', de: 'Produkt' },
  percentage: { en: 'Percentage', de: 'Prozentwert' },
  ratio: { en: 'Ratio', de: 'Verhältnis' },
  difference: { en: 'Difference', de: 'Differenz' },
  share: { en: 'Share in per cent', de: 'Anteil in Prozent' },
  previous: { en: 'Previous period', de: 'Vorperiode' },
  change: { en: 'Change', de: 'Veränderung' },
  rank: { en: 'Rank', de: 'Rang' },
  running_total: { en: 'Running total', de: 'Laufende Summe' },
} as const satisfies Readonly<Record<Aggregate | RowFunction | Computation | 'count' | 'measure', Label>>;

/** Names of named values that questions use. Other names are their own labels. */
export const namedValueLabels = {
  at_risk: { en: 'Share of the rent', de: 'Anteil an der Miete' },
  before: { en: 'Period before', de: 'Vorperiode' },
  change: { en: 'Change', de: 'Veränderung' },
  days: { en: 'Median', de: 'Median' },
  growth: { en: 'Growth', de: 'Wachstum' },
  left: { en: 'Left', de: 'Rest' },
  longest: { en: 'Longest', de: 'Längste Dauer' },
  not_invoiced: { en: 'Not invoiced', de: 'Nicht berechnet' },
  p90: { en: '90th percentile', de: '90. Perzentil' },
  part: { en: 'Share', de: 'Anteil' },
  per_sqm: { en: 'Per m²', de: 'Je m²' },
  rank: { en: 'Rank', de: 'Rang' },
  rate: { en: 'Vacancy rate', de: 'Leerstandsquote' },
  so_far: { en: 'Cumulative share', de: 'Kumulierter Anteil' },
  tax: { en: 'VAT', de: 'Umsatzsteuer' },
  uncovered: { en: 'Not covered', de: 'Nicht gedeckt' },
  used: { en: 'Used', de: 'Verbraucht' },
  vacant: { en: 'Vacant units', de: 'Leere Einheiten' },
  vacant_area: { en: 'Vacant area', de: 'Leere Fläche' },
  year_before: { en: 'Year before', de: 'Vorjahr' },
} as const satisfies Readonly<Record<string, Label>>;

/** A key with its values as they are has the empty name. */
export const bucketLabels = {
  '': { en: 'Each value', de: 'Jeder Wert' },
  day: { en: 'Day', de: 'Tag' },
  week: { en: 'Week', de: 'Woche' },
  month: { en: 'Month', de: 'Monat' },
  quarter: { en: 'Quarter', de: 'Quartal' },
  year: { en: 'Year', de: 'Jahr' },
  age: { en: 'Age', de: 'Alter' },
  ranges: { en: 'Bands', de: 'Klassen' },
  width: { en: 'Bands of a width', de: 'Klassen einer Breite' },
} as const satisfies Readonly<Record<Bucket | BandName | '', Label>>;

/** Conditions on a value by their operators in query strings, in the order of lists. */
export const conditionLabels = {
  eq: { en: 'is', de: 'ist' },
  ne: { en: 'is not', de: 'ist nicht' },
  in: { en: 'one of', de: 'eines von' },
  not_in: { en: 'none of', de: 'keines von' },
  icontains: { en: 'contains', de: 'enthält' },
  not_icontains: { en: 'does not contain', de: 'enthält nicht' },
  istarts_with: { en: 'begins with', de: 'beginnt mit' },
  not_istarts_with: { en: 'does not begin with', de: 'beginnt nicht mit' },
  iends_with: { en: 'ends with', de: 'endet mit' },
  not_iends_with: { en: 'does not end with', de: 'endet nicht mit' },
  gte: { en: 'at least', de: 'mindestens' },
  lte: { en: 'at most', de: 'höchstens' },
  gt: { en: 'more than', de: 'mehr als' },
  lt: { en: 'less than', de: 'weniger als' },
  is_null: { en: 'is empty', de: 'ist leer' },
  is_not_null: { en: 'is not empty', de: 'ist nicht leer' },
  contains: { en: 'contains exactly', de: 'enthält genau' },
  not_contains: { en: 'does not contain exactly', de: 'enthält nicht genau' },
  starts_with: { en: 'begins exactly with', de: 'beginnt genau mit' },
  not_starts_with: { en: 'does not begin exactly with', de: 'beginnt nicht genau mit' },
  ends_with: { en: 'ends exactly with', de: 'endet genau mit' },
  not_ends_with: { en: 'does not end exactly with', de: 'endet nicht genau mit' },
} as const satisfies Readonly<Record<ComparisonOperator | CallName, Label>>;

/** The order of times and texts has other words than that of numbers. */
export const orderLabels = {
  gte: { en: 'from', de: 'ab' },
  lte: { en: 'until', de: 'bis' },
  gt: { en: 'after', de: 'nach' },
  lt: { en: 'before', de: 'vor' },
} as const satisfies Partial<Readonly<Record<ComparisonOperator, Label>>>;

/** Conditions on the rows of a relation to many rows. The name of the relation comes before. */
export const quantifierLabels = {
  some: { en: 'at least one', de: 'mindestens eine Zeile' },
  none: { en: 'none', de: 'keine Zeile' },
  every: { en: 'every one', de: 'jede Zeile' },
  someValid: { en: 'at least one, valid on the day', de: 'mindestens eine Zeile, am Stichtag gültig' },
  noneValid: { en: 'none, valid on the day', de: 'keine Zeile, am Stichtag gültig' },
} as const satisfies Readonly<Record<QuantifierName, Label>>;

/** Comparisons of the number of related rows, in the order of lists. The number follows. */
export const countLabels = {
  gt: { en: 'more than', de: 'mehr als' },
  gte: { en: 'at least', de: 'mindestens' },
  lt: { en: 'fewer than', de: 'weniger als' },
  lte: { en: 'at most', de: 'höchstens' },
  eq: { en: 'exactly', de: 'genau' },
  ne: { en: 'not exactly', de: 'nicht genau' },
} as const satisfies Readonly<Record<ComparisonOperator, Label>>;

export const connectiveLabels = {
  any: { en: 'or', de: 'oder' },
  all: { en: 'and', de: 'und' },
} as const satisfies Readonly<Record<Connective, Label>>;

/** The labels of one language, by name. */
export const labelsIn = <Name extends string>(
  labels: Readonly<Record<Name, Label>>,
  language: keyof Label,
): Readonly<Record<Name, string>> =>
  Object.fromEntries(Object.entries<Label>(labels).map(([name, label]) => [name, label[language]])) as Record<Name, string>;
