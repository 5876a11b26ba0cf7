/** Where a table of a source names columns of its list. */
import type { TableRule } from '../source-file.ts';

export interface NamedColumn {
  /** The path of the name in the table. */
  readonly at: readonly (string | number)[];
  readonly name: string;
  /** Whether the name is the key of a pair, whose value is another column. */
  readonly isKey?: boolean;
}

const each = (at: NamedColumn['at'], names: string | readonly string[] = []): readonly NamedColumn[] =>
  typeof names === 'string' ? [{ at, name: names }] : names.map((name, index) => ({ at: [...at, index], name }));

/** All names of columns of the list itself: no facts of it, no columns of further lists, and no headings. */
export const namedColumns = (rule: TableRule): readonly NamedColumn[] => {
  const { columns, primaryKey = [], keep = [], skip = [], fillDown, headings = [], latest, deletions, knownColumns, lists = [] } = rule;
  const ofConditions = (key: string, conditions: readonly { readonly column: string }[]) =>
    conditions.flatMap(({ column }, index) => each([key, index, 'column'], column));
  const found = [
    ...Object.entries(columns).flatMap(([target, one]) => {
      const at = ['columns', target];
      if (typeof one === 'string') return each(at, one);
      return (['from', 'join', 'sum', 'minus', 'percentOf'] as const).flatMap((key) => each([...at, key], one[key]));
    }),
    ...(typeof primaryKey === 'string'
      ? each(['primaryKey'], primaryKey)
      : primaryKey.flatMap((part, index) => (typeof part === 'string' ? each(['primaryKey', index], part) : []))),
    ...ofConditions('keep', keep),
    ...ofConditions('skip', skip),
    ...ofConditions('headings', headings),
    ...each(['fillDown'], fillDown),
    ...each(['latest'], latest),
    ...each(['deletions', 'column'], deletions?.column),
    ...each(['knownColumns'], knownColumns),
    ...lists.flatMap(({ on }, index) => Object.keys(on).map((name) => ({ at: ['lists', index, 'on', name], name, isKey: true }))),
  ];
  const made = new Set(headings.map(({ as }) => as));
  return found.filter(({ name }) => !name.startsWith('$') && !made.has(name) && !lists.some(({ as }) => name.startsWith(`${as}.`)));
};
