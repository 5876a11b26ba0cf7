/**
 * Some tables are read by certain columns only, such as property and year. A view of rows of such a table begins with the newest values. The
 * page says so, and offers the values by name. Groups have no required filters, so they may have all values.
 */

import { useEffect } from 'react';
import { answerName } from '../../../../plan/vocabulary/keys.ts';
import { writtenComparison } from '../../../../query/write-items.ts';
import { isObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedTable, Description } from '../../described.ts';
import { type Failure, useAnswer } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { valueText } from '../parts/values.ts';
import { isNotEmpty, replaced, selectedValues } from '../view/conditions.ts';
import { placeFieldsOf, reportOf } from '../view/report.ts';
import { type FoundColumn, findColumn, labelOf, tableOf, toOne } from '../view/tables.ts';
import { addressOf, mostRows, type View } from '../view/view.ts';

/** The conditions that the page chose, and not the reader, by table. They are kept out of sums. */
const chosenByPage = new Set<string>();
const choiceOf = ({ table }: Pick<View, 'table'>, condition: string): string => `${table} ${condition}`;

/** The conditions of a view for sums: without those that only rows need and the reader did not choose. */
export const conditionsForSums = (view: View): readonly string[] =>
  view.where.filter((condition) => !chosenByPage.has(choiceOf(view, condition)));

/** Adds the newest values to a view of rows that has none. Groups tell them, because they have no required filters. */
export const useRequiredFilters = (
  view: View,
  { category, name, required }: DescribedTable,
): { readonly isReady: boolean; readonly failure: Failure | undefined } => {
  const { go } = usePage();
  const missing = required.filter((column) => selectedValues(view.where, column).length === 0);
  const path = addressOf(`/${category}/${name}/groups`, [
    ['by', missing.join()],
    ['where', [...missing.map(isNotEmpty), ...view.where].join()],
    [
      'order',
      [...missing]
        .reverse()
        .map((column) => `-${column}`)
        .join(),
    ],
    ['limit', '1'],
  ]);
  const { answer, failure } = useAnswer(missing.length > 0 ? path : undefined);
  const [first] = answer?.rows ?? [];
  useEffect(() => {
    if (missing.length === 0 || !isObject(first)) return;
    const conditions = missing.map((column) => writtenComparison(column, 'eq', textOf((first[column] ?? null) as Cell)));
    for (const condition of conditions) chosenByPage.add(choiceOf(view, condition));
    go({ ...view, where: [...conditions, ...view.where] }, { replaces: true });
  }, [first, missing, view, go]);
  return { isReady: missing.length === 0, failure };
};

/** The column that names the values: the title of the row that they lead to, or the column itself. */
const namingColumn = (table: DescribedTable, column: string, description: Description): FoundColumn | undefined => {
  const relation = toOne(table).find((each) => each.column === column);
  const title = relation && tableOf(description, relation.target)?.title;
  const named = title && !title.includes('.') ? findColumn(description, table, `${relation.name}.${title}`) : undefined;
  return named ?? findColumn(description, table, column);
};

interface RequiredFiltersProps {
  readonly view: View;
  readonly table: DescribedTable;
  readonly onChange: (part: Partial<View>) => void;
}

const ValuePicker = ({ view, table, onChange, column }: RequiredFiltersProps & { readonly column: string }) => {
  const { description, language, t } = usePage();
  const found = findColumn(description, table, column);
  const named = namingColumn(table, column, description);
  const hasNames = named !== undefined && named.path !== column;
  const { answer } = useAnswer(
    addressOf(`/${table.category}/${table.name}/groups`, [
      ['by', hasNames ? `${column},${named.path}` : column],
      ['where', isNotEmpty(column)],
      ['order', `-${column}`],
      ['limit', String(mostRows.groups)],
    ]),
  );
  if (!found || !named) return null;
  const chosen = selectedValues(view.where, column);
  const values = (answer?.rows ?? []).filter(isObject).map((row) => {
    const value = textOf((row[column] ?? null) as Cell);
    const name = hasNames ? valueText(row[answerName(named.path)], named.column, description, language) : '';
    return { value, name: name === '' ? value : `${name} (${value})` };
  });
  const offered = hasNames ? values.toSorted((one, other) => one.name.localeCompare(other.name, language, { numeric: true })) : values;
  const several = chosen.length > 1 ? chosen.join(', ') : undefined;
  const missing = chosen.length === 1 && !offered.some(({ value }) => value === chosen[0]) ? chosen[0] : undefined;
  const choose = (value: string) =>
    onChange({ where: replaced(view.where, column, value === '' ? [] : [writtenComparison(column, 'eq', value)]) });
  return (
    <label className="picker">
      {labelOf(hasNames ? named : found, language)}
      <select value={several ?? chosen[0] ?? ''} onChange={({ target }) => choose(target.value)}>
        {view.shows === 'groups' && <option value="">{t.allValues}</option>}
        {several !== undefined && <option value={several}>{several}</option>}
        {missing !== undefined && <option value={missing}>{missing}</option>}
        {offered.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
};

/** The conditions that the pickers show. The bar of filters leaves them out. */
export const isRequiredFilter = (condition: string, { required }: DescribedTable): boolean =>
  required.some((column) => selectedValues([condition], column).length > 0);

export const RequiredFilters = (props: RequiredFiltersProps) => {
  const { description, language, t } = usePage();
  const { view, table } = props;
  if (table.required.length === 0) return null;
  const names = table.required.flatMap((column) => {
    const named = namingColumn(table, column, description);
    return named ? [labelOf(named, language)] : [];
  });
  /** A report has a field for it. */
  const asked = reportOf(view, description) ? placeFieldsOf(table, description).property : undefined;
  const isMissing = table.required.some((column) => selectedValues(view.where, column).length === 0);
  return (
    <div className="filter-bar">
      <span className="hint">
        {t.readBy(new Intl.ListFormat(language, { type: 'conjunction' }).format(names))}
        {view.shows === 'groups' && isMissing && ` ${t.readByForRows}`}
      </span>
      {table.required
        .filter((column) => column !== asked)
        .map((column) => (
          <ValuePicker key={column} {...props} column={column} />
        ))}
    </div>
  );
};
