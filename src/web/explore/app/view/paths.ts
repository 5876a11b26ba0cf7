/** The columns and relations that paths of a table lead to, found by words. */
import type { DescribedTable, Description, LanguageCode } from '../../described.ts';
import { type FoundColumn, findColumn, findRelations, labelOf, labelOfRelations, tableOf, toMany, toOne } from './tables.ts';

/** A request can follow more relations. A search that looks further finds too much. */
const mostSteps = 4;
/** More are not read. Further words narrow a search. */
const mostFound = 80;
const mostRelated = 12;

/** The tables that relations to one row lead to, each with its path, the nearest first. No path leads to a table twice. */
const reached = (
  description: Description,
  table: DescribedTable,
): readonly { readonly prefix: string; readonly target: DescribedTable }[] => {
  const found: { prefix: string; target: DescribedTable; names: readonly string[] }[] = [
    { prefix: '', target: table, names: [table.name] },
  ];
  for (const { prefix, target, names } of found) {
    if (names.length > mostSteps) continue;
    for (const relation of toOne(target)) {
      const next = tableOf(description, relation.target);
      if (next && !names.includes(next.name))
        found.push({ prefix: `${prefix}${relation.name}.`, target: next, names: [...names, next.name] });
    }
  }
  return found;
};

const hasWords = (named: string, text: string): boolean =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => named.toLowerCase().includes(word));

/** The relations to many rows whose labels have all words, each by its path, the nearest first. */
export const searchRelated = (
  text: string,
  table: DescribedTable,
  description: Description,
  language: LanguageCode,
): readonly { readonly path: string; readonly label: string }[] =>
  reached(description, table)
    .flatMap(({ prefix, target }) => toMany(target).map(({ name }) => `${prefix}${name}`))
    .flatMap((path) => {
      const label = labelOfRelations(findRelations(description, table, path.split('.'))?.relations ?? [], language);
      return hasWords(`${label} ${path}`, text) ? [{ path, label }] : [];
    })
    .slice(0, mostRelated);

/** The columns whose labels and names have all words, those with the shortest paths first. */
export const searchPaths = (
  text: string,
  table: DescribedTable,
  description: Description,
  language: LanguageCode,
  includes: (found: FoundColumn) => boolean,
): readonly FoundColumn[] => {
  const matches = (found: FoundColumn) => hasWords(`${labelOf(found, language)} ${found.column.label[language]} ${found.path}`, text);
  const found: FoundColumn[] = [];
  for (const { prefix, target } of reached(description, table)) {
    if (found.length >= mostFound) break;
    const columns = target.columns.flatMap(({ name }) => findColumn(description, table, `${prefix}${name}`) ?? []);
    found.push(...columns.filter((each) => includes(each) && matches(each)));
  }
  return found.slice(0, mostFound);
};
