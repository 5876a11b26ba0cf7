/**
 * The one description of a table: its columns with their references, its relations and its measures. The documentation, the explore page, the
 * tools of agents, the interface description and the data contract print it.
 */
import type { Column } from '../catalogue/column.ts';
import { readableFilters } from '../catalogue/data-scope.ts';
import type { ResolvedRelation, TableName } from '../catalogue/index.ts';
import { measuresOf, type ResolvedMeasure } from '../catalogue/measures/measure-formula.ts';
import type { Table } from '../catalogue/table.ts';
import { englishLabel, germanLabels } from '../catalogue/texts/labels.ts';
import { englishRelations, germanRelations, presentations, type Text } from '../catalogue/texts/presentation.ts';
import { type RelationsOf, snakeCase } from './relation-names.ts';

/** A column of a category table, or of a raw table if there is no category table with that name. */
export interface ColumnTarget {
  readonly table: string;
  readonly column: string;
  readonly isRaw: boolean;
  /** Whether a value identifies one row. */
  readonly isOne: boolean;
}

export interface ColumnDescription extends Omit<Column, 'from'> {
  readonly name: string;
  readonly label: Text;
  /** The kind with its digits: `number(18,2)`. */
  readonly type: string;
  readonly isNullable: boolean;
  /** A column of the driving raw table, or an SQL expression over the joined tables. */
  readonly from: string;
  /** The columns that the value refers to. */
  readonly targets: readonly ColumnTarget[];
  readonly filter: 'required' | 'optional' | undefined;
}

export interface RelationDescription extends ResolvedRelation {
  /** In query strings. */
  readonly queryName: string;
  readonly label: Text;
}

export interface TableDescription {
  readonly table: Table;
  readonly columns: readonly ColumnDescription[];
  readonly relations: readonly RelationDescription[];
  readonly measures: readonly ResolvedMeasure[];
}

/** The tables that a reader sees, and the relations among them. */
export interface SeenTables {
  readonly tables: { has(name: string): boolean };
  readonly relationsOf: RelationsOf;
}

const labelOfColumn = (name: string): Text => ({
  en: englishLabel(name),
  de: (germanLabels as Readonly<Record<string, string>>)[name] ?? englishLabel(name),
});

/** The name of a relation. That of all rows of a table is the name of the table. */
const labelOfRelation = ({ name, kind, target }: ResolvedRelation): Text => {
  const { label } = presentations[target as TableName];
  const de = germanRelations[name];
  if (kind === 'to-many' && de === label.de) return label;
  const en = englishRelations[name] ?? englishLabel(snakeCase(name));
  return { en, de: de ?? en };
};

const targetsOf = (table: Table, name: string, { references }: Column, { tables }: SeenTables): readonly ColumnTarget[] => {
  const related = Object.values(table.relations).filter(({ column }) => column === name);
  const kinds = new Map(related.map(({ to, kind }) => [to, kind]));
  if (references !== undefined) kinds.set(references, 'to-one');
  return [...kinds].map(([to, kind]) => {
    const [target = '', column = ''] = to.split('.');
    return { table: target, column, isRaw: !tables.has(target), isOne: kind === 'to-one' };
  });
};

/** A table as a reader sees it. */
export const describeTable = (table: Table, seen: SeenTables): TableDescription => {
  const optional = new Set(readableFilters(table));
  return {
    table,
    columns: Object.entries(table.columns).map(([name, column]) => {
      const { from = name, kind, digits, required } = column;
      return {
        ...column,
        name,
        label: labelOfColumn(name),
        type: digits ? `${kind}(${digits.join()})` : kind,
        isNullable: !required,
        from: /^\w+$/.test(from) ? `${table.source.as}.${from}` : from,
        targets: targetsOf(table, name, column, seen),
        filter: table.requiredFilters.includes(name) ? 'required' : optional.has(name) ? 'optional' : undefined,
      };
    }),
    relations: seen
      .relationsOf(table.name)
      .map((relation) => ({ ...relation, queryName: snakeCase(relation.name), label: labelOfRelation(relation) })),
    measures: measuresOf(table.name, seen.relationsOf),
  };
};

/** The reader of a whole catalogue. */
export const seenIn = ({
  tables,
  relations,
}: {
  readonly tables: ReadonlyMap<string, Table>;
  readonly relations: ReadonlyMap<string, readonly ResolvedRelation[]>;
}): SeenTables => ({ tables, relationsOf: (table) => relations.get(table) ?? [] });
