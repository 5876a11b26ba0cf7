/** Translates a field of groups into a REST request, with notes on the differences. */
import type { FieldNode } from 'graphql';
import type { RestFacts, RestTable } from '../../rest-facts.ts';
import { argumentsOf, fieldsIn, type ParsedOperation } from '../operations/operation.ts';
import { isObject, type Json, type JsonObject } from '../response/exact.ts';
import { filtersOf, parameterOf, quoted, type Translated } from './rest-values.ts';

const folds = ['sum', 'avg', 'min', 'max', 'distinct', 'median', 'stddev'];
const namedFolds = [...folds, 'count', 'percentile'];
const computations = ['ratio', 'difference', 'share', 'previous', 'change', 'rank', 'runningTotal'];
const signs: Readonly<Record<string, string>> = { eq: '=', ne: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' };

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The group keys for `by`, and the parts that REST does not support. */
const keysIn = (parsed: ParsedOperation, fields: readonly FieldNode[], table: RestTable, facts: RestFacts, via = '') => {
  const by: string[] = [];
  const notes: string[] = [];
  /** The names of keys with bands, by alias. */
  const bands: Record<string, string> = {};
  for (const field of fields) {
    const name = field.name.value;
    const column = table.columns[name] ?? table.columns[name.replace(/Label$/, '')];
    const relation = table.relations[name];
    const target = relation && facts.tables[relation.field];
    if (target) {
      const inner = keysIn(parsed, fieldsIn(parsed, field.selectionSet), target, facts, `${via}${snakeCase(name)}.`);
      by.push(...inner.by);
      notes.push(...inner.notes);
      Object.assign(bands, inner.bands);
    } else if (name === 'band') {
      const { of, on, ...bounds } = argumentsOf(parsed, field);
      const [[is, given] = ['', undefined]] = Object.entries(bounds);
      const path = `${via}${parameterOf(of)?.toLowerCase() ?? ''}`;
      const texts = [given].flat().flatMap((bound) => parameterOf(bound) ?? []);
      const day = parameterOf(on);
      by.push(`${path}:${is}(${[...texts, ...(day ? [`on=${day}`] : [])]})`);
      bands[field.alias?.value ?? name] = `${path}_${is}`.replaceAll('.', '_');
    } else if (column) {
      const bucket = parameterOf(argumentsOf(parsed, field).bucket)?.toLowerCase();
      by.push(`${via}${column}${bucket ? `:${bucket}` : ''}`);
      if (!(name in table.columns))
        notes.push(`\`${name}\`: groups have the code; its labels are at \`/meta/${table.name}/values/${column}\`.`);
    }
  }
  return { by: [...new Set(by)], notes, bands };
};

type Bands = Readonly<Record<string, string>>;

/** The sort key with the name of its response column. */
const keyName = (key: Json | undefined, bands: Bands): string => {
  if (!isObject(key)) return '';
  const { column, bucket, band, asOf, ...relations } = key;
  if (asOf) return 'as_of';
  if (band) return bands[parameterOf(band) ?? ''] ?? '';
  const [[relation, inner] = ['', undefined]] = Object.entries(relations);
  // The name of a band contains the relations.
  const name = relation && keyName(inner, bands);
  if (relation) return Object.values(bands).includes(name) ? name : `${snakeCase(relation)}_${name}`;
  return [parameterOf(column), parameterOf(bucket)].flatMap((part) => part?.toLowerCase() ?? []).join('_');
};

const listOf = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value : value ? [value] : []).filter(isObject);

/** The name of the key or value in a step of an order or in a computed value. */
const nameOf = ({ of, ...step }: JsonObject, values: readonly NamedValue[], bands: Bands): string | undefined => {
  const [[by, value] = ['', undefined]] = Object.entries(step);
  if (by === 'key') return keyName(value, bands);
  if (by === 'computed' || by === 'sumOnce') return snakeCase(parameterOf(value) ?? '');
  const column = parameterOf(value)?.toLowerCase() ?? '';
  const named = values.find((each) => each.alias === of && each.fold === by && (by === 'count' || each.column === column));
  if (of) return named?.name;
  return by === 'measure' ? column : by === 'count' ? by : `${by}_${column}`;
};

const orderOf = (steps: Json | undefined, values: readonly NamedValue[], bands: Bands): readonly string[] =>
  listOf(steps).flatMap(({ direction, ...step }) => {
    const name = nameOf(step, values, bands);
    return name === undefined ? [] : `${direction === 'DESC' ? '-' : ''}${name}`;
  });

/** The computed values for `value`. */
const computedValues = (
  parsed: ParsedOperation,
  fields: readonly FieldNode[],
  values: readonly NamedValue[],
  bands: Bands,
): readonly string[] =>
  fields.flatMap((field) => {
    const call = field.name.value;
    if (!computations.includes(call)) return [];
    const { of, to, minus, within, along, periods } = argumentsOf(parsed, field);
    const operands = [of, to, minus].flatMap((operand) => (isObject(operand) ? (nameOf(operand, values, bands) ?? []) : []));
    const keys = [...listOf(within), ...listOf(along)].map((key) => keyName(key, bands));
    const given = [...operands, ...keys, ...(periods === undefined ? [] : [parameterOf(periods) ?? ''])];
    return `${snakeCase(field.alias?.value ?? call)}:${snakeCase(call)}(${given})`;
  });

/** Quotes a value that contains a sign of the grammar, or blanks at its ends. */
const writtenValue = (text: string): string => (/[,"()]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const searches: Readonly<Record<string, string>> = {
  contains: 'contains',
  startsWith: 'starts_with',
  iContains: 'icontains',
  iStartsWith: 'istarts_with',
};

/** A condition of `where`; undefined if REST has none. */
const conditionText = (name: string, operator: string, value: Json): string | undefined => {
  const text = parameterOf(value);
  if (operator === 'in' && Array.isArray(value)) {
    const texts = value.map(parameterOf).filter((each) => each !== undefined);
    return texts.length > 0 ? `${name}:in(${texts.map(writtenValue).join()})` : undefined;
  }
  if (text === undefined) return undefined;
  if (operator === 'isNull') return `${name}:${text === 'true' ? 'is_null' : 'is_not_null'}`;
  const search = searches[operator];
  if (search) return `${name}:${search}(${writtenValue(text)})`;
  const sign = signs[operator];
  return sign && `${name}${sign}${writtenValue(text)}`;
};

/** The conditions of a filter for `where`, and the names of those that REST does not support. */
const whereOf = (filter: Json | undefined, table: RestTable, facts: RestFacts, via = ''): { terms: string[]; left: string[] } => {
  const terms: string[] = [];
  const left: string[] = [];
  const add = (inner: { readonly terms: readonly string[]; readonly left: readonly string[] }) => {
    terms.push(...inner.terms);
    left.push(...inner.left);
  };
  for (const [field, value] of Object.entries(isObject(filter) ? filter : {})) {
    const relation = table.relations[field];
    const target = relation && facts.tables[relation.field];
    const column = table.columns[field];
    const isMany = isObject(value) && ['some', 'none', 'every'].some((name) => name in value);
    if (field === 'and') for (const part of Array.isArray(value) ? value : [value]) add(whereOf(part, table, facts, via));
    else if (target && isObject(value) && !isMany) add(whereOf(value, target, facts, `${via}${snakeCase(field)}.`));
    else if (column && isObject(value))
      for (const [operator, operand] of Object.entries(value)) {
        const text = conditionText(`${via}${column}`, operator, operand);
        if (text) terms.push(text);
        else left.push(field);
      }
    else left.push(field);
  }
  return { terms, left };
};

/** A value with arguments. `name` is its name in REST. */
interface NamedValue {
  readonly alias: string;
  readonly fold: string;
  readonly column: string;
  readonly name: string;
  readonly text: string;
}

/** The values with arguments, and the names of filters that REST does not support. */
const namedValues = (parsed: ParsedOperation, fields: readonly FieldNode[], table: RestTable, facts: RestFacts) => {
  const values: NamedValue[] = [];
  const left: string[] = [];
  for (const field of fields) {
    const fold = field.name.value;
    if (!field.arguments?.length || !namedFolds.includes(fold)) continue;
    const { filter, percent } = argumentsOf(parsed, field);
    const where = whereOf(filter, table, facts);
    left.push(...where.left);
    const alias = field.alias?.value ?? fold;
    const columns = fold === 'count' ? [''] : fieldsIn(parsed, field.selectionSet).flatMap((each) => table.columns[each.name.value] ?? []);
    for (const column of columns) {
      const name = [snakeCase(alias), ...(columns.length > 1 || alias === fold ? [column] : [])].filter((part) => part !== '').join('_');
      const given = [column, parameterOf(percent) ?? '', ...where.terms].filter((part) => part !== '');
      values.push({ alias, fold, column, name, text: `${name}:${fold}(${given})` });
    }
  }
  return { values, left };
};

/** The path of a column behind relations. */
const pathOf = (of: Json | undefined): string => {
  const [[name, value] = ['', undefined]] = Object.entries(isObject(of) ? of : {});
  return name === 'column' ? (parameterOf(value)?.toLowerCase() ?? '') : `${snakeCase(name)}.${pathOf(value)}`;
};

/** The sums over related rows for `value`, and the names of filters that REST does not support. */
const sumsOnce = (parsed: ParsedOperation, fields: readonly FieldNode[], table: RestTable, facts: RestFacts) => {
  const sums = fields
    .filter(({ name }) => name.value === 'sumOnce')
    .map((field) => {
      const { of, filter } = argumentsOf(parsed, field);
      const { terms, left } = whereOf(filter, table, facts);
      return { text: `${snakeCase(field.alias?.value ?? 'sumOnce')}:sum_once(${[pathOf(of), ...terms]})`, left };
    });
  return { texts: sums.map(({ text }) => text), left: sums.flatMap(({ left }) => left) };
};

/** The conditions, and the names of those that REST does not support. */
const havingOf = (having: Json | undefined) => {
  const terms: string[] = [];
  const left: string[] = [];
  const compare = (name: string, comparisons: Json) => {
    for (const [operator, value] of Object.entries(isObject(comparisons) ? comparisons : {})) {
      const [sign, text] = [signs[operator], parameterOf(value)];
      if (sign && text !== undefined) terms.push(`${name}${sign}${writtenValue(text)}`);
      else left.push(name);
    }
  };
  const hasArguments = isObject(having) && having.of !== undefined;
  const ofNamed = isObject(having) ? (having.computed ?? having.sumOnce) : undefined;
  if (isObject(having) && ofNamed !== undefined) {
    compare(snakeCase(parameterOf(having.of) ?? ''), ofNamed);
    return { terms, left };
  }
  for (const [name, value] of Object.entries(isObject(having) ? having : {})) {
    if (hasArguments) left.push(name);
    else if (name === 'count') compare(name, value);
    else if ((folds.includes(name) || name === 'measures') && isObject(value))
      for (const [field, comparisons] of Object.entries(value))
        compare(name === 'measures' ? snakeCase(field) : `${name}_${snakeCase(field)}`, comparisons);
    else left.push(name);
  }
  return { terms, left };
};

export const groupsRequest = (parsed: ParsedOperation, field: FieldNode, table: RestTable, facts: RestFacts): Translated => {
  const { filter, having, orderBy, topPer, first, after, fill, asOf } = argumentsOf(parsed, field);
  const { filters, rest } = filtersOf(table, filter);
  const where = whereOf(rest, table, facts);
  const conditions = havingOf(having);
  const groups = fieldsIn(parsed, field.selectionSet)
    .filter(({ name }) => name.value === 'groups')
    .flatMap((each) => fieldsIn(parsed, each.selectionSet));
  const plain = groups.filter((part) => !part.arguments?.length);
  const named = namedValues(parsed, groups, table, facts);
  const once = sumsOnce(parsed, groups, table, facts);
  const partsOf = (name: string) => plain.filter((part) => part.name.value === name).flatMap((part) => fieldsIn(parsed, part.selectionSet));
  const { by, notes, bands } = keysIn(parsed, partsOf('key'), table, facts);
  const series = isObject(asOf)
    ? [`as_of:${parameterOf(asOf.every)?.toLowerCase()}(${parameterOf(asOf.from)},${parameterOf(asOf.to)})`]
    : [];
  const columnsOf = (name: string) => partsOf(name).flatMap((column) => table.columns[column.name.value] ?? []);
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['by', [...series, ...by]],
    ...folds.map((fold) => [fold, columnsOf(fold)] as const),
    ['measure', partsOf('measures').map(({ name }) => snakeCase(name.value))],
    ['value', [...named.values.map(({ text }) => text), ...once.texts, ...computedValues(parsed, groups, named.values, bands)]],
    ['fill', listOf(fill).map((key) => keyName(key, bands))],
    ['where', where.terms],
    ['having', conditions.terms],
    ['order', orderOf(orderBy, named.values, bands)],
  ];
  const query = new URLSearchParams([
    ...filters,
    ...lists.filter(([, names]) => names.length > 0).map(([name, names]) => [name, names.join()]),
    ...(plain.some(({ name }) => name.value === 'count') ? [['count', '']] : []),
    ['limit', parameterOf(first) ?? String(facts.standardFirst)],
    ...(parameterOf(after) ? [['cursor', parameterOf(after) ?? '']] : []),
  ]);
  const left = [...new Set([...where.left, ...named.left, ...once.left])];
  return {
    path: `${table.path}/groups?${query}`,
    notes: [
      ...(left.length > 0 ? [`REST groups have no condition on rows like that on ${quoted(left)}.`] : []),
      ...notes,
      ...(conditions.left.length > 0
        ? [`REST has no condition on ${quoted([...new Set(conditions.left)])}: choose among the groups.`]
        : []),
      ...(topPer ? ['REST has no first groups of each coarser key: ask for all, and take the first of each.'] : []),
    ],
  };
};
