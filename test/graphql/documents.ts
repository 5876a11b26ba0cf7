/**
 * Random documents over the schema: every kind of root field, `@skip` and `@include` at every level, fragments, aliases, and repeated
 * fields. Nearly all are valid.
 */
import { type GraphQLField, type GraphQLNamedType, GraphQLObjectType, type GraphQLSchema, getNamedType, isLeafType } from 'graphql';
import { catalogue } from '../../src/catalogue/index.ts';
import { rowTypeName } from '../../src/graphql/schema/names.ts';
import { rowFunctions } from '../../src/plan/vocabulary/values.ts';
import { seededRandom } from '../sync/support.ts';

export interface RandomDocument {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Values of arguments, for each table by the name of its type. */
export interface Samples {
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly keys: ReadonlyMap<string, readonly unknown[]>;
  readonly cursors: ReadonlyMap<string, readonly string[]>;
}

const tables = [...catalogue.tables.values()];
/** Excludes tables with required filters, and the relations that lead to them. */
export const queryableTables = tables.filter(({ requiredFilters }) => requiredFilters.length === 0);
const leftOut = new Set(
  tables
    .filter((table) => !queryableTables.includes(table))
    .flatMap(({ name }) => ['', 'Connection', 'Groups', 'GroupKey'].map((end) => rowTypeName(name) + end)),
);
const coded = queryableTables.flatMap((table) =>
  Object.entries(table.columns).flatMap(([column, { lookup }]) => (lookup ? [{ table: table.name, column }] : [])),
);

/** Fields whose values change from one request to the next. */
const unsteady = new Set(['ageSeconds']);
/** Cursors of groups depend on the whole selection of groups. */
const cursorNames = new Set(['startCursor', 'endCursor']);

const maxDepth = 8;
const maxIntrospectionDepth = 3;
const maxFields = 60;
const maxAliases = 40;

type Field = GraphQLField<unknown, unknown>;

interface Place {
  readonly type: GraphQLNamedType;
  readonly depth: number;
  /** Below a field of groups, a page has no cursors to compare. */
  readonly isOfGroups: boolean;
}

interface Fields {
  readonly leaves: readonly Field[];
  readonly leads: readonly Field[];
}

const known = new WeakMap<GraphQLNamedType, Map<boolean, Fields>>();

/** The fields of a type: leaves, and objects. */
const fieldsOf = (type: GraphQLNamedType, isOfGroups: boolean): Fields => {
  const byPlace = known.get(type) ?? new Map<boolean, Fields>();
  known.set(type, byPlace);
  const found = byPlace.get(isOfGroups);
  if (found) return found;
  const all = type instanceof GraphQLObjectType ? Object.values(type.getFields()) : [];
  const there = all.filter((field) => {
    if (leftOut.has(getNamedType(field.type).name) || unsteady.has(field.name)) return false;
    // The reference has no value for each percentage, for bands, series, and values that are computed from others or from each row (see
    // `conditional-fields.test.ts` and `expressions.differential.exhaustive.test.ts`).
    if (field.name === 'asOf' || field.name in rowFunctions || field.args.some(({ name }) => name === 'percent' || name === 'of'))
      return false;
    return !(isOfGroups && cursorNames.has(field.name)) && !(type.name === '__Schema' && field.name === 'types');
  });
  const isLeaf = (field: Field) => isLeafType(getNamedType(field.type));
  const fields = { leaves: there.filter(isLeaf), leads: there.filter((field) => !isLeaf(field)) };
  byPlace.set(isOfGroups, fields);
  return fields;
};

interface Fragment {
  readonly name: string;
  readonly place: string;
  readonly height: number;
  readonly text: string;
}

/** The document of a seed. */
export const randomDocument = (schema: GraphQLSchema, samples: Samples, seed: number): RandomDocument => {
  const random = seededRandom(seed);
  for (let warm = 0; warm < 5; warm++) random(2);
  const one = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const sometimes = (percent: number): boolean => random(100) < percent;

  const declared = new Map<string, string>();
  const variables: Record<string, unknown> = {};
  const fragments: Fragment[] = [];
  /** The meaning of each response key, so that one key is never two fields of a type. */
  const aliases = new Map<string, string>();
  const argumentsOf = new Map<string, string>();
  let fields = 0;
  let highest = 0;

  const variable = (type: string, value: unknown): string => {
    const name = `v${declared.size}`;
    declared.set(name, `$${name}: ${type}`);
    if (value !== undefined) variables[name] = value;
    return `$${name}`;
  };

  const conditions = [true, false].flatMap((value) => [() => variable('Boolean!', value), () => variable(`Boolean = ${value}`, undefined)]);
  const made = new Map<number, string>();
  /** A boolean as a literal or a variable. Variables are reused. */
  const truth = (value: boolean): string => {
    if (sometimes(50)) return String(value);
    const way = (value ? 0 : 2) + random(2);
    const text = made.get(way) ?? conditions[way]!();
    made.set(way, text);
    return text;
  };
  const directives = (isExcluded: boolean): string => {
    if (isExcluded) return one([() => ` @skip(if: ${truth(true)})`, () => ` @include(if: ${truth(false)})`])();
    if (sometimes(60)) return '';
    const skip = () => `@skip(if: ${truth(sometimes(35))})`;
    const include = () => `@include(if: ${truth(sometimes(65))})`;
    return ` ${one([skip, include, () => `${skip()} ${include()}`, () => `${include()} ${skip()}`])()}`;
  };

  const integer = (value: number): string => (sometimes(30) ? variable('Int', value) : String(value));
  const newArguments = (field: Field): string => {
    const names = new Set(field.args.map(({ name }) => name));
    const type = getNamedType(field.type).name;
    if (names.has('last')) {
      const cursors = samples.cursors.get(type.replace(/Connection$/, '')) ?? [];
      if (sometimes(20)) return `(last: ${integer(1 + random(3))})`;
      if (names.has('offset') && sometimes(20)) return `(first: ${integer(1 + random(3))}, offset: ${one([1, 2, 400_000])})`;
      if (cursors.length > 0 && names.has('offset') && sometimes(20)) return `(first: 2, after: "${one(cursors)}")`;
      return `(first: ${integer(1 + random(3))})`;
    }
    if (names.has('having')) return `(first: ${integer(1 + random(4))})`;
    // The reference has the values of all rows of a group.
    if (names.has('filter')) return '';
    // The reference has the label in both languages (`http.test.ts` has those in one).
    if (names.has('language') && !names.has('column')) return '';
    if (names.has('bucket')) return sometimes(40) ? '' : `(bucket: ${one(['MONTH', 'YEAR', 'null'])})`;
    if (names.has('ids')) return `(ids: ${JSON.stringify(Array.from({ length: random(4) }, () => one(samples.ids.get(one(rowTypes))!)))})`;
    if (names.has('id')) return `(id: "${sometimes(20) ? 'none' : one(samples.ids.get(one(rowTypes))!)}")`;
    if (names.has('since')) return `(since: "${one(['2020-01-01T00:00:00Z', '2090-01-01T00:00:00Z'])}")`;
    if (names.has('column')) {
      const { table, column } = one(coded);
      return `(table: "${table}", column: "${column}")`;
    }
    if (names.has('includeDeprecated')) return sometimes(50) ? '' : '(includeDeprecated: true)';
    if (field.name === '__type') return `(name: "${one(['Order', 'PageInfo', 'Bucket', 'Node', 'OrderBy', 'Nothing', 'Me'])}")`;
    if (field.args.length === 1) return `(${field.args[0]!.name}: ${JSON.stringify(one(samples.keys.get(type)!))})`;
    return '';
  };

  const rowTypes = queryableTables.map(({ name }) => rowTypeName(name)).filter((name) => samples.ids.get(name)!.length > 0);
  const isIntrospection = ({ name }: GraphQLNamedType) => name.startsWith('__');

  /** A random field of a type. */
  const fieldAt = ({ type, depth, isOfGroups }: Place): Field | undefined => {
    const { leaves, leads } = fieldsOf(type, isOfGroups);
    const isDeep = depth >= (isIntrospection(type) ? maxIntrospectionDepth : maxDepth) || fields >= maxFields;
    const chosen = !isDeep && leads.length > 0 && (leaves.length === 0 || sometimes(45)) ? leads : leaves;
    return chosen.length > 0 ? one(chosen) : undefined;
  };

  const field = (place: Place, chosen: Field, isExcluded: boolean): string => {
    fields++;
    const own = `${place.type.name}.${chosen.name}`;
    const isAliased = aliases.size < maxAliases && sometimes(25);
    const variants = isAliased ? [...aliases].filter(([, meaning]) => meaning.startsWith(`${own}(`) || meaning === own) : [];
    let key = chosen.name;
    let asked: string;
    if (variants.length > 0 && sometimes(50)) {
      const [known, meaning] = one(variants);
      [key, asked] = [known, meaning.slice(own.length)];
    } else if (isAliased) {
      asked = newArguments(chosen);
      key = `a${aliases.size}`;
      aliases.set(key, own + asked);
    } else {
      asked = argumentsOf.get(own) ?? newArguments(chosen);
      argumentsOf.set(own, asked);
    }
    const inner = getNamedType(chosen.type);
    const isOfGroups = place.isOfGroups || inner.name.endsWith('Groups');
    const within = { type: inner, depth: isIntrospection(inner) && !isIntrospection(place.type) ? 1 : place.depth + 1, isOfGroups };
    const text = `${key === chosen.name ? '' : `${key}: `}${chosen.name}${asked}${directives(isExcluded)}`;
    return isLeafType(inner) ? text : `${text} ${selectionSet(within)}`;
  };

  const spread = (place: Place, isExcluded: boolean): string => {
    const own = `${place.type.name} ${place.isOfGroups}`;
    const known = fragments.filter((each) => each.place === own && place.depth + each.height <= maxDepth);
    if (known.length > 0 && sometimes(60)) return `...${one(known).name}${directives(isExcluded)}`;
    const before = highest;
    highest = place.depth;
    const text = selectionSet(place);
    const height = highest - place.depth;
    highest = Math.max(before, highest);
    const name = `F${fragments.length}`;
    fragments.push({ name, place: own, height, text: `fragment ${name} on ${place.type.name} ${text}` });
    return `...${name}${directives(isExcluded)}`;
  };

  const inline = (place: Place, isExcluded: boolean): string => {
    const { type } = place;
    if (type.name === 'Node' || (samples.ids.has(type.name) && sometimes(15))) {
      const other = type.name === 'Node' ? schema.getType(one(rowTypes))! : schema.getType('Node')!;
      return `... on ${other.name}${directives(isExcluded)} ${selectionSet({ ...place, type: other })}`;
    }
    return `...${sometimes(50) ? ` on ${type.name}` : ''}${directives(isExcluded)} ${selectionSet(place)}`;
  };

  let nesting = 0;
  const selection = (place: Place, isExcluded: boolean): string => {
    highest = Math.max(highest, place.depth);
    if (sometimes(8)) return `${sometimes(20) ? 'typeName: ' : ''}__typename${directives(isExcluded)}`;
    if (place.type.name === 'Node' && sometimes(30)) return `id${directives(isExcluded)}`;
    if (nesting < 8 && fields < maxFields) {
      if (sometimes(10)) return spread(place, isExcluded);
      if (sometimes(12) || (place.type.name === 'Node' && sometimes(80))) return inline(place, isExcluded);
    }
    const chosen = fieldAt(place);
    return chosen ? field(place, chosen, isExcluded) : `__typename${directives(isExcluded)}`;
  };

  const selectionSet = (place: Place): string => {
    nesting++;
    const isExcluded = sometimes(8);
    const selections = Array.from({ length: 1 + random(4) }, () => selection(place, isExcluded));
    if (sometimes(15))
      selections.push(one(selections).replaceAll(/ @(?:skip|include)\(if: [^)]*\)/g, (text) => (sometimes(50) ? '' : text)));
    nesting--;
    return `{ ${selections.join(' ')} }`;
  };

  const query = schema.getQueryType()!;
  const place = { type: query, depth: 1, isOfGroups: false };
  const introspected = { __schema: { name: '__schema', type: schema.getType('__Schema')!, args: [] } };
  const rootFields = Object.values(query.getFields()).filter((each) => !leftOut.has(getNamedType(each.type).name));
  const kinds = [
    rootFields.filter(({ type }) => getNamedType(type).name.endsWith('Connection')),
    rootFields.filter(({ type }) => getNamedType(type).name.endsWith('Groups')),
    rootFields.filter(({ type }) => samples.keys.get(getNamedType(type).name)?.length),
    rootFields.filter(({ name }) => ['node', 'nodes'].includes(name)),
    rootFields.filter(({ name }) => ['catalog', 'changes', 'lookupValues', 'me', 'rateLimit'].includes(name)),
    [introspected.__schema, { name: '__type', type: schema.getType('__Type')!, args: [{ name: 'name' }] }] as unknown as Field[],
  ];
  const root = (isExcluded: boolean): string => {
    const way = random(100);
    if (way < 6) return `__typename${directives(isExcluded)}`;
    if (way < 12) return `...${sometimes(50) ? ' on Query' : ''}${directives(isExcluded)} { ${root(isExcluded)} ${root(isExcluded)} }`;
    const kind = kinds[way < 50 ? 0 : way < 65 ? 1 : way < 73 ? 2 : way < 82 ? 3 : way < 92 ? 4 : 5]!;
    return field(place, one(kind), isExcluded);
  };
  const isExcluded = sometimes(4);
  const roots = Array.from({ length: 1 + random(3) }, () => root(isExcluded));
  const head = declared.size > 0 ? `query Random(${[...declared.values()].join(', ')}) ` : '';
  return { query: [`${head}{ ${roots.join(' ')} }`, ...fragments.map(({ text }) => text)].join('\n'), variables };
};

/** Names of a row's columns and labels in the schema. */
export const leavesOf = (schema: GraphQLSchema, table: string): readonly string[] =>
  Object.values((schema.getType(rowTypeName(table)) as GraphQLObjectType).getFields())
    .filter(({ type }) => isLeafType(getNamedType(type)))
    .map(({ name }) => name);
