/** The tables of a key for the explore page, from the catalogue. */

import type { Catalogue, TableName } from '../../catalogue/index.ts';
import { countedRowsOf, figuresOf } from '../../catalogue/measures/figures.ts';
import { atDay } from '../../catalogue/relative-days.ts';
import type { Table } from '../../catalogue/table.ts';
import { germanMeanings } from '../../catalogue/texts/meanings.ts';
import { categoryLabels, type Presentation, presentations, searchedFirst } from '../../catalogue/texts/presentation.ts';
import { type Unit, unitOf } from '../../catalogue/texts/units.ts';
import type { Category } from '../../catalogue/tiers.ts';
import { relationsAmong } from '../../execute/visible.ts';
import { upperFirst } from '../../graphql/schema/names.ts';
import { aggregatableColumns } from '../../plan/groups/groups.ts';
import { describeTable } from '../../query/describe-table.ts';
import { type RelationsOf, snakeCase } from '../../query/relation-names.ts';
import { exampleAddress, exampleDay, questionEntries } from '../graphiql/questions.ts';
import type { DescribedQuestion, DescribedTable, Description } from './described.ts';

/** A description without what depends on the rows of the customer. */
export type CatalogueDescription = Omit<Description, 'codes' | 'day'>;

/** Whether a path of the presentation exists for the key: relations that it may follow, and a column that it may read. */
const isReadable = (path: string, table: Table, tables: ReadonlyMap<string, Table>, relationsOf: RelationsOf): boolean => {
  const [step = '', ...rest] = path.split('.');
  if (rest.length === 0) return table.columns[step] !== undefined && !table.columns[step].isHidden;
  const relation = relationsOf(table.name).find(({ name, kind }) => kind === 'to-one' && snakeCase(name) === step);
  const target = relation && tables.get(relation.target);
  return target !== undefined && isReadable(rest.join('.'), target, tables, relationsOf);
};

const presentationOf = ({ name }: Table): Presentation => presentations[name as keyof typeof presentations];

const unitPart = (name: string): { readonly unit?: Unit } => {
  const unit = unitOf(name);
  return unit ? { unit } : {};
};

/** The description of a table for the page: what the key reads, with the texts and the first columns of its presentation. */
const describedTable = (
  table: Table,
  tables: ReadonlyMap<string, Table>,
  relationsOf: RelationsOf,
  { isAnswered, hasFiles }: Rights,
): DescribedTable => {
  const { label, purpose, title, search, columns } = presentationOf(table);
  const isShown = (path: string) => isReadable(path, table, tables, relationsOf);
  const quantities = aggregatableColumns(table, 'sum');
  const described = describeTable(table, { tables, relationsOf });
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
    ...(table.validity?.every(isShown) && { validity: table.validity }),
    hasFiles: hasFiles(table.name),
    columns: described.columns
      .filter(({ isHidden }) => !isHidden)
      .map(({ name, label, kind, meaning, lookup, isRate = false }) => ({
        ...unitPart(name),
        name,
        label,
        kind,
        meaning: { en: meaning, de: germanMeanings[meaning] ?? meaning },
        ...(lookup && { codes: lookup }),
        isQuantity: quantities.includes(name),
        isRate,
      })),
    relations: described.relations
      .filter(({ column }) => !table.columns[column]?.isHidden)
      .map(({ queryName, label, kind, column, target, targetColumn }) => ({ name: queryName, label, kind, column, target, targetColumn })),
    measures: described.measures.map(({ name, label: named, unit, definition, needsDay }) => ({
      name,
      label: { en: upperFirst(named.en), de: upperFirst(named.de) },
      unit,
      definition,
      needsDay,
    })),
    // The rows of all units are called as the table is, and choose nothing.
    counted: countedRowsOf(table.name as TableName)
      .filter(({ label: { en }, view }) => en !== label.en && isAnswered(atDay(view, exampleDay)))
      .map(({ label: counted, view }) => ({ label: counted, address: view })),
    figureColumns: [...new Set(figuresOf(table.name).map(({ column }) => column))].filter(isShown),
  };
};

/** A client asks for as many groups by default. The page shows all of them. */
const standardLimit = /&limit=1000$/;

const describeQuestions = (isAnswered: (path: string) => boolean): readonly DescribedQuestion[] =>
  questionEntries
    .filter(([, question]) => isAnswered(exampleAddress(question)))
    .map(([name, { en, de, address, chart }]) => ({
      name,
      title: { en, de },
      address: address.replace(standardLimit, ''),
      ...(chart !== undefined && { chart: chart.split(',') }),
    }));

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
    tables: tables.map((table) => describedTable(table, byName, relationsOf, rights)),
    searched: searchedFirst.filter((name) => byName.has(name)),
    questions: describeQuestions(rights.isAnswered),
  };
};
