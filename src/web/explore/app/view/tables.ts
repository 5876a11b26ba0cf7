/** Tables and columns of the description, found by their names in REST. */
import type { DescribedColumn, DescribedRelation, DescribedTable, Description, LanguageCode } from '../../described.ts';

/** A column of a table, or of the related row at the end of a path. */
export interface FoundColumn {
  /** Its entry in `columns`. That of a function has more than the name. */
  readonly text: string;
  /** Its name in the answer and in `order`. */
  readonly path: string;
  readonly column: DescribedColumn;
  /** The table of the column. */
  readonly table: DescribedTable;
  /** The relations of the path. */
  readonly via: readonly DescribedRelation[];
  /** It is computed in each row, so no groups have its values. */
  readonly isComputed?: true;
}

export const tableOf = ({ tables }: Description, name: string): DescribedTable | undefined => tables.find((table) => table.name === name);

const relationOf = (table: DescribedTable, name: string): DescribedRelation | undefined =>
  table.relations.find((relation) => relation.name === name);

/** The relations of a path, and the table at its end. */
export const findRelations = (
  description: Description,
  from: DescribedTable,
  names: readonly string[],
): { readonly relations: readonly DescribedRelation[]; readonly target: DescribedTable } | undefined => {
  const relations: DescribedRelation[] = [];
  let target = from;
  for (const name of names) {
    const relation = relationOf(target, name);
    const next = relation && tableOf(description, relation.target);
    if (!relation || !next) return undefined;
    relations.push(relation);
    target = next;
  }
  return { relations, target };
};

export const findColumn = (description: Description, from: DescribedTable, path: string): FoundColumn | undefined => {
  const steps = path.split('.');
  const name = steps.pop();
  const found = findRelations(description, from, steps);
  const column = found?.target.columns.find((each) => each.name === name);
  return found && column && { text: path, path, column, table: found.target, via: found.relations };
};

/** The labels of relations, from the row on. */
export const labelOfRelations = (relations: readonly DescribedRelation[], language: LanguageCode): string =>
  relations.map(({ label }) => label[language]).join(': ');

/** The label of a column. That of a related row begins with its relation. The title of a related row has the name of the relation. */
export const labelOf = ({ column, table, via }: FoundColumn, language: LanguageCode): string => {
  const names = via.map(({ label }) => label[language]);
  if (via.length > 0 && column.name === table.title) return names.join(': ');
  return [...names, column.label[language]].join(': ');
};

/** The relation to one row whose reference is this column. */
export const referenceOf = ({ column, table }: FoundColumn): DescribedRelation | undefined =>
  table.relations.find((relation) => relation.kind === 'to-one' && relation.column === column.name);

export const toOne = ({ relations }: DescribedTable): readonly DescribedRelation[] => relations.filter(({ kind }) => kind === 'to-one');
export const toMany = ({ relations }: DescribedTable): readonly DescribedRelation[] => relations.filter(({ kind }) => kind === 'to-many');

/** The columns of a view of rows. */
export const shownColumns = (table: DescribedTable, columns: readonly string[]): readonly string[] => {
  if (columns.length > 0) return columns;
  return table.first.length > 0 ? table.first : table.columns.slice(0, 10).map(({ name }) => name);
};
