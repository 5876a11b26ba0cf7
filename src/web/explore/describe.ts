/** The tables of a key for the explore page, from the catalogue. */
import type { Column } from '../../catalogue/column.ts';
import type { Catalogue, ResolvedRelation } from '../../catalogue/index.ts';
import { englishLabel, germanLabels } from '../../catalogue/labels.ts';
import { measuresOf } from '../../catalogue/measure-formula.ts';
import {
  categoryLabels,
  germanRelations,
  type Presentation,
  presentations,
  searchedFirst,
  type Text,
} from '../../catalogue/presentation.ts';
import type { Table } from '../../catalogue/table.ts';
import type { Category } from '../../catalogue/tiers.ts';
import { relationsAmong } from '../../execute/visible.ts';
import { upperFirst } from '../../graphql/schema/names.ts';
import { aggregatableColumns } from '../../plan/groups/groups.ts';
import { snakeCase } from '../../query/relation-names.ts';
import { questionOf } from '../graphiql/examples.ts';
import { questionDocuments, questionPaths } from '../graphiql/questions.ts';
import type { DescribedColumn, DescribedQuestion, DescribedTable, Description } from './described.ts';

/** A description without the codes, which a customer can have lists of its own of. */
export type CatalogueDescription = Omit<Description, 'codes'>;

type RelationsOf = (table: string) => readonly ResolvedRelation[];

const columnLabel = (name: string): Text => ({
  en: englishLabel(name),
  de: (germanLabels as Readonly<Record<string, string>>)[name] ?? englishLabel(name),
});

const relationLabel = (name: string): Text => ({
  en: englishLabel(snakeCase(name)),
  de: germanRelations[name] ?? englishLabel(snakeCase(name)),
});

const describeColumn = (name: string, column: Column, quantities: readonly string[]): DescribedColumn => ({
  name,
  label: columnLabel(name),
  kind: column.kind,
  meaning: column.meaning,
  ...(column.lookup && { codes: column.lookup }),
  isQuantity: quantities.includes(name),
  isRate: column.isRate === true,
});

/** Whether a path of the presentation exists for the key: relations that it may follow, and a column that it may read. */
const isReadable = (path: string, table: Table, tables: ReadonlyMap<string, Table>, relationsOf: RelationsOf): boolean => {
  const [step = '', ...rest] = path.split('.');
  if (rest.length === 0) return table.columns[step] !== undefined && !table.columns[step].isHidden;
  const relation = relationsOf(table.name).find(({ name, kind }) => kind === 'to-one' && snakeCase(name) === step);
  const target = relation && tables.get(relation.target);
  return target !== undefined && isReadable(rest.join('.'), target, tables, relationsOf);
};

const presentationOf = ({ name }: Table): Presentation => presentations[name as keyof typeof presentations];

const describeTable = (
  table: Table,
  tables: ReadonlyMap<string, Table>,
  relationsOf: RelationsOf,
  { hasFiles }: Rights,
): DescribedTable => {
  const { label, purpose, title, search, columns, figures = [] } = presentationOf(table);
  const isShown = (path: string) => isReadable(path, table, tables, relationsOf);
  const quantities = aggregatableColumns(table, 'sum');
  const relations = relationsOf(table.name);
  const names = new Set(relations.map(({ name }) => snakeCase(name)));
  return {
    name: table.name,
    category: table.category,
    label,
    purpose: { en: table.purpose, de: purpose },
    key: table.key,
    title: isShown(title) ? title : table.key,
    search: search.filter(isShown),
    first: columns.filter(isShown),
    required: table.requiredFilters,
    hasValidity: table.validity !== undefined,
    hasFiles: hasFiles(table.name),
    columns: Object.entries(table.columns)
      .filter(([, { isHidden }]) => !isHidden)
      .map(([name, column]) => describeColumn(name, column, quantities)),
    relations: relations
      .filter(({ column }) => !table.columns[column]?.isHidden)
      .map(({ name, kind, column, target, targetColumn }) => ({
        name: snakeCase(name),
        label: relationLabel(name),
        kind,
        column,
        target,
        targetColumn,
      })),
    measures: measuresOf(table.name, relationsOf)
      .filter(({ needsDay }) => !needsDay)
      .map(({ name, label: named, unit, definition }) => ({
        name,
        label: { en: upperFirst(named.en), de: upperFirst(named.de) },
        unit,
        definition,
      })),
    figures: figures.filter(({ relation }) => names.has(relation)),
  };
};

/** The title of a question: its first comment, with the German term in parentheses. */
const questionTitle = (document: string): Text => {
  const [, en = '', de] = /^(.*?)(?: \(([^()]*)\))?$/.exec(questionOf(document)) ?? [];
  return { en, de: de ?? en };
};

const describeQuestions = (isAnswered: (path: string) => boolean): readonly DescribedQuestion[] =>
  Object.entries(questionPaths)
    .filter(([, path]) => isAnswered(path))
    .map(([name, path]) => ({ name, title: questionTitle(questionDocuments[name as keyof typeof questionDocuments]), path }));

/** What the key may do. */
interface Rights {
  /** Whether it may send a REST address. */
  readonly isAnswered: (path: string) => boolean;
  /** Whether it may read a table as a file. */
  readonly hasFiles: (table: string) => boolean;
}

/** `tables` are those of the key, within the catalogue as it sees it. */
export const describe = (catalogue: Catalogue, tables: readonly Table[], rights: Rights): CatalogueDescription => {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const relationsOf = relationsAmong(catalogue, tables);
  const names = new Set<Category>(tables.map(({ category }) => category));
  return {
    categories: (Object.keys(categoryLabels) as Category[])
      .filter((name) => names.has(name))
      .map((name) => ({ name, label: categoryLabels[name] })),
    tables: tables.map((table) => describeTable(table, byName, relationsOf, rights)),
    searched: searchedFirst.filter((name) => byName.has(name)),
    questions: describeQuestions(rights.isAnswered),
  };
};
