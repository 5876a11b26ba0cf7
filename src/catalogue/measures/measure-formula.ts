/** The formulas of measures: their SQL with the columns that it reads, for the relations that a caller may follow. */
import type { ResolvedRelation } from '../index.ts';
import { type Measure, measures, type OtherRows } from './measures.ts';

/** A column that a measure reads. */
export interface MeasureColumn {
  readonly via: readonly Pick<ResolvedRelation, 'column' | 'target' | 'targetColumn'>[];
  readonly column: string;
}

/** The day of a series. */
export interface SeriesDay {
  readonly is: 'seriesDay';
}

/** The SQL of a measure with its columns inserted. */
export type MeasureFormula = readonly (string | MeasureColumn | SeriesDay)[];

/** Whether a part of a formula is the day of the series. */
export const isSeriesDay = (part: string | object): part is SeriesDay => typeof part !== 'string' && 'is' in part;

/** A quotient has at least the digits of its numerator. With 40 of them, the rounded quotient is the exact one rounded once. */
const textOf = ({ numerator, denominator, scale }: Measure): string =>
  denominator === undefined
    ? `round((${numerator})::numeric, ${scale})`
    : `round(round(${numerator}, 40) / nullif(${denominator}, 0), ${scale})`;

/** SQL with its columns inserted, if the given relations are enough for it; otherwise undefined. */
const formulaOf = (text: string, relations: readonly ResolvedRelation[]): MeasureFormula | undefined => {
  const formula = text.split(/\{([\w.]+)\}/).map((part, index): MeasureFormula[number] | undefined => {
    if (index % 2 === 0) return part;
    if (part === 'day') return { is: 'seriesDay' };
    const [column = '', by] = part.split('.').reverse();
    const relation = relations.find(({ name, kind }) => name === by && kind === 'to-one');
    if (by === undefined) return { via: [], column };
    return relation && { via: [{ column: relation.column, target: relation.target, targetColumn: relation.targetColumn }], column };
  });
  return formula.every((part) => part !== undefined) ? formula : undefined;
};

/** The rows of another table, with the condition on them. */
export interface ResolvedOtherRows {
  readonly table: string;
  readonly shared: readonly string[];
  readonly where: MeasureFormula;
}

export interface ResolvedMeasure extends Omit<Measure, 'over'> {
  readonly formula: MeasureFormula;
  /** Whether its groups need a series of days. */
  readonly needsDay: boolean;
  readonly over?: ResolvedOtherRows | undefined;
}

type RelationsOf = (table: string) => readonly ResolvedRelation[];

const otherRowsOf = (table: string, { via, shared, where }: OtherRows, relationsOf: RelationsOf): ResolvedOtherRows | undefined => {
  const found = via.reduce<string | undefined>(
    (from, name) => (from === undefined ? undefined : relationsOf(from).find((relation) => relation.name === name)?.target),
    table,
  );
  const formula = found === undefined ? undefined : formulaOf(where, relationsOf(found));
  return found !== undefined && formula ? { table: found, shared, where: formula } : undefined;
};

/** The measures of a table that its relations allow, each with its formula. `relationsOf` gives the relations to tables that can be read. */
export const measuresOf = (table: string, relationsOf: RelationsOf): readonly ResolvedMeasure[] =>
  measures.flatMap((measure) => {
    if (measure.table !== table) return [];
    const over = measure.over && otherRowsOf(table, measure.over, relationsOf);
    if (measure.over && !over) return [];
    const formula = formulaOf(textOf(measure), relationsOf(over?.table ?? table));
    const needsDay = formula?.some(isSeriesDay) ?? false;
    return formula ? [{ ...measure, formula, needsDay, over }] : [];
  });
