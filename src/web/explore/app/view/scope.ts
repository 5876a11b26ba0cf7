/** What the names in a list of conditions mean: columns of rows, or keys and figures of groups. */
import type { Kind } from '../../../../catalogue/column.ts';
import { labelsIn, namedValueLabels, valueLabels } from '../../../../plan/vocabulary/labels.ts';
import {
  type Aggregate,
  aggregateNames,
  computation,
  isComputation,
  kindOfAggregate,
  plainAggregates,
} from '../../../../plan/vocabulary/values.ts';
import type { DescribedRelation, DescribedTable, Description, LanguageCode } from '../../described.ts';
import { namedValues } from './behind.ts';
import { itemOf, textsOfItems } from './conditions.ts';
import { groupKeyOf } from './group-keys.ts';
import { findFunction } from './row-functions.ts';
import { type FoundColumn, findColumn, findRelations, labelOf } from './tables.ts';
import { type View, valueNameOf } from './view.ts';

export interface RelatedRows {
  readonly relations: readonly DescribedRelation[];
  readonly target: DescribedTable;
}

export interface Scope {
  readonly table: DescribedTable;
  readonly find: (name: string) => FoundColumn | undefined;
  /** The rows of a relation to many rows. */
  readonly findRelated: (name: string) => RelatedRows | undefined;
  /** The keys and figures of groups to choose from, those of the view first. Undefined for rows. */
  readonly figures: readonly FoundColumn[] | undefined;
  /** Whether rows can be those of the day of a series. */
  readonly hasDay: boolean;
}

/** Conditions on rows of a table. */
export const scopeOfRows = (table: DescribedTable, description: Description, hasDay = false): Scope => ({
  table,
  find: (name) => findColumn(description, table, name) ?? findFunction(description, table, name),
  findRelated: (name) => {
    const found = findRelations(description, table, name.split('.'));
    return found?.relations.at(-1)?.kind === 'to-many' ? found : undefined;
  },
  figures: undefined,
  hasDay,
});

export const hasSeries = ({ by }: Pick<View, 'by'>): boolean => by.some((key) => key.startsWith('as_of:'));

type LabelOf = (language: LanguageCode) => string;

/** A key or a figure as a column. */
const named = (table: DescribedTable, name: string, label: LabelOf, kind: Kind, isQuantity: boolean): FoundColumn => ({
  text: name,
  path: name,
  column: { name, label: { en: label('en'), de: label('de') }, kind, meaning: { en: '', de: '' }, isQuantity, isRate: false },
  table,
  via: [],
});

/** The words of a name of the address. */
const wordsOfName = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

/** The label of a named value: that of the questions, or its name. */
export const namedLabel = (name: string, language: LanguageCode): string =>
  Object.hasOwn(namedValueLabels, name) ? namedValueLabels[name as keyof typeof namedValueLabels][language] : wordsOfName(name);

const words = { en: labelsIn(valueLabels, 'en'), de: labelsIn(valueLabels, 'de') } as const;

/** An aggregate of a column, by its name in conditions. */
const aggregateNamed = (
  is: Aggregate,
  path: string,
  name: string,
  table: DescribedTable,
  description: Description,
): FoundColumn | undefined => {
  const found = findColumn(description, table, path);
  return (
    found &&
    named(table, name, (language) => `${labelOf(found, language)} (${words[language][is]})`, kindOfAggregate(is, found.column.kind), true)
  );
};

/** A longer name comes first, because a short one can be its beginning. */
const byLength = [...plainAggregates].sort((one, other) => other.length - one.length);

/** The kind of a named value. */
const kindOfNamed = (text: string, table: DescribedTable, description: Description): Kind => {
  const item = itemOf(text);
  if (item?.is !== 'called') return 'number';
  if (isComputation(item.call)) return computation(item.call).kind;
  const is = aggregateNames.find((each) => each === item.call);
  const [path = ''] = textsOfItems(item.of);
  return kindOfAggregate(is ?? 'count', findColumn(description, table, path)?.column.kind ?? 'number');
};

/** Conditions on the groups of a view. */
export const scopeOfGroups = (view: View, table: DescribedTable, description: Description): Scope => {
  const count = named(table, 'count', (language) => words[language].count, 'bigint', true);
  const keys = view.by.map((text) => {
    const { name, band, isSeries, period, found } = groupKeyOf(text, table, description);
    if (found && !band && !period) return { ...found, text: name, path: name };
    const label: LabelOf = (language) => (found ? labelOf(found, language) : namedLabel(name, language));
    return named(table, name, label, isSeries || (period && !band) ? (found?.column.kind ?? 'date') : 'string', false);
  });
  const offered = table.measures.filter(({ needsDay }) => !needsDay || hasSeries(view));
  const measures = offered.map(({ name, label }) => named(table, name, (language) => label[language], 'number', true));
  const values = view.values.flatMap(({ list, of }) => {
    const name = valueNameOf({ list, of });
    return list === 'measure' ? measures.filter((each) => each.path === of) : (aggregateNamed(list, of, name, table, description) ?? []);
  });
  const own = namedValues(view).flatMap((text) => {
    const item = itemOf(text);
    if (item?.is !== 'called') return [];
    return [named(table, item.name, (language) => namedLabel(item.name, language), kindOfNamed(text, table, description), true)];
  });
  const others = table.columns
    .filter(({ isQuantity }) => isQuantity)
    .flatMap(({ name, isRate }) =>
      (isRate ? (['avg', 'min', 'max'] as const) : (['sum', 'avg', 'min', 'max'] as const)).flatMap(
        (is) => aggregateNamed(is, name, `${is}_${name}`, table, description) ?? [],
      ),
    );
  const shown = [...keys, ...own, ...values];
  const figures = [...shown, count, ...measures, ...others].filter(
    ({ path }, at, all) => all.findIndex((each) => each.path === path) === at,
  );
  return {
    table,
    figures,
    find: (name) => {
      const known = figures.find(({ path }) => path === name);
      if (known) return known;
      const is = byLength.find((each) => name.startsWith(`${each}_`));
      return is && aggregateNamed(is, name.slice(is.length + 1), name, table, description);
    },
    findRelated: () => undefined,
    hasDay: false,
  };
};
