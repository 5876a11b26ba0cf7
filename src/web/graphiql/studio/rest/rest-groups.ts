/** Translates a field of groups into a REST request, with notes on the differences. */
import type { FieldNode } from 'graphql';
import type { RestFacts, RestTable } from '../../rest-facts.ts';
import { argumentsOf, fieldsIn, type ParsedOperation } from '../operations/operation.ts';
import { isObject, type Json, type JsonObject } from '../response/exact.ts';
import { filterNotes, filtersOf, parameterOf, quoted, type Translated } from './rest-values.ts';

const folds = ['sum', 'avg', 'min', 'max', 'distinct'];
const signs: Readonly<Record<string, string>> = { eq: '=', ne: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' };

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The group keys for `by`, and the parts that REST does not support. */
const keysIn = (parsed: ParsedOperation, fields: readonly FieldNode[], table: RestTable, facts: RestFacts, via = '') => {
  const by: string[] = [];
  const notes: string[] = [];
  for (const field of fields) {
    const name = field.name.value;
    const column = table.columns[name] ?? table.columns[name.replace(/Label$/, '')];
    const relation = table.relations[name];
    const target = relation && facts.tables[relation.field];
    if (target) {
      const inner = keysIn(parsed, fieldsIn(parsed, field.selectionSet), target, facts, `${via}${snakeCase(name)}.`);
      by.push(...inner.by);
      notes.push(...inner.notes);
    } else if (column) {
      const bucket = parameterOf(argumentsOf(parsed, field).bucket)?.toLowerCase();
      by.push(`${via}${column}${bucket ? `:${bucket}` : ''}`);
      if (!(name in table.columns))
        notes.push(`\`${name}\`: groups have the code; its labels are at \`/meta/${table.name}/values/${column}\`.`);
    }
  }
  return { by: [...new Set(by)], notes };
};

/** The sort key with the name of its response column. */
const keyName = (key: Json | undefined): string => {
  if (!isObject(key)) return '';
  const { column, bucket, ...relations } = key;
  const [[relation, inner] = ['', undefined]] = Object.entries(relations);
  if (relation) return `${snakeCase(relation)}_${keyName(inner)}`;
  return [parameterOf(column), parameterOf(bucket)].flatMap((part) => part?.toLowerCase() ?? []).join('_');
};

const orderOf = (steps: Json | undefined): readonly string[] =>
  (Array.isArray(steps) ? steps : steps ? [steps] : []).filter(isObject).map(({ direction, ...step }: JsonObject) => {
    const [[by, value] = ['', undefined]] = Object.entries(step);
    const column = parameterOf(value)?.toLowerCase() ?? '';
    const name = by === 'key' ? keyName(value) : by === 'measure' ? column : by === 'count' ? by : `${by}_${column}`;
    return `${direction === 'DESC' ? '-' : ''}${name}`;
  });

/** Quotes a value that contains a comma or begins with a quote. */
const havingValue = (text: string): string => (/[,"]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The conditions, and the names of those that REST does not support. */
const havingOf = (having: Json | undefined) => {
  const terms: string[] = [];
  const left: string[] = [];
  const compare = (name: string, comparisons: Json) => {
    for (const [operator, value] of Object.entries(isObject(comparisons) ? comparisons : {})) {
      const [sign, text] = [signs[operator], parameterOf(value)];
      if (sign && text !== undefined) terms.push(`${name}${sign}${havingValue(text)}`);
      else left.push(name);
    }
  };
  for (const [name, value] of Object.entries(isObject(having) ? having : {})) {
    if (name === 'count') compare(name, value);
    else if ((folds.includes(name) || name === 'measures') && isObject(value))
      for (const [field, comparisons] of Object.entries(value))
        compare(name === 'measures' ? snakeCase(field) : `${name}_${snakeCase(field)}`, comparisons);
    else left.push(name);
  }
  return { terms, left };
};

export const groupsRequest = (parsed: ParsedOperation, field: FieldNode, table: RestTable, facts: RestFacts): Translated => {
  const { filter, having, orderBy, topPer, first, after } = argumentsOf(parsed, field);
  const { filters, left } = filtersOf(table, filter);
  const conditions = havingOf(having);
  const groups = fieldsIn(parsed, field.selectionSet)
    .filter(({ name }) => name.value === 'groups')
    .flatMap((each) => fieldsIn(parsed, each.selectionSet));
  const partsOf = (name: string) =>
    groups.filter((part) => part.name.value === name).flatMap((part) => fieldsIn(parsed, part.selectionSet));
  const { by, notes } = keysIn(parsed, partsOf('key'), table, facts);
  const columnsOf = (name: string) => partsOf(name).flatMap((column) => table.columns[column.name.value] ?? []);
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['by', by],
    ...folds.map((fold) => [fold, columnsOf(fold)] as const),
    ['measure', partsOf('measures').map(({ name }) => snakeCase(name.value))],
    ['having', conditions.terms],
    ['order', orderOf(orderBy)],
  ];
  const query = new URLSearchParams([
    ...filters,
    ...lists.filter(([, names]) => names.length > 0).map(([name, names]) => [name, names.join()]),
    ...(groups.some(({ name }) => name.value === 'count') ? [['count', '']] : []),
    ['limit', parameterOf(first) ?? String(facts.standardFirst)],
    ...(parameterOf(after) ? [['cursor', parameterOf(after) ?? '']] : []),
  ]);
  return {
    path: `${table.path}/groups?${query}`,
    notes: [
      ...filterNotes(table, filters, left),
      ...notes,
      ...(conditions.left.length > 0
        ? [`REST has no condition on ${quoted([...new Set(conditions.left)])}: choose among the groups.`]
        : []),
      ...(topPer ? ['REST has no first groups of each coarser key: ask for all, and take the first of each.'] : []),
    ],
  };
};
