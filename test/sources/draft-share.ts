/** How many columns of a shipped export a draft gives a right target. */
import { readFileSync } from 'node:fs';
import { columnsOfRule, ruleOf } from '../../src/sources/columns/column-value.ts';
import { parseSource, type Source } from '../../src/sources/source-file.ts';

/** What each column of the export is for: its targets, or a part of a key. */
const purposesOf = ({ tables }: Source): ReadonlyMap<string, ReadonlySet<string>> => {
  const purposes = new Map<string, Set<string>>();
  const add = (column: string, purpose: string) => purposes.set(column, (purposes.get(column) ?? new Set()).add(purpose));
  for (const { table, columns, primaryKey = [] } of tables) {
    for (const [target, rule] of Object.entries(columns))
      for (const column of columnsOfRule(ruleOf(rule))) add(column, `${table}.${target}`);
    for (const part of [primaryKey].flat()) if (typeof part === 'string') add(part, `key of ${table}`);
  }
  return purposes;
};

/** The share of the columns with a purpose for which the draft proposes one of theirs. */
export const shareOf = (name: string, text: string): number => {
  const shipped = purposesOf(parseSource(readFileSync(`examples/sources/${name}/source.yml`, 'utf8'), 'source.yml'));
  const drafted = purposesOf(parseSource(text, 'draft'));
  const columns = [...shipped.keys()].filter((column) => !column.startsWith('$'));
  const found = columns.filter((column) => [...shipped.get(column)!].some((purpose) => drafted.get(column)?.has(purpose)));
  return found.length / columns.length;
};
