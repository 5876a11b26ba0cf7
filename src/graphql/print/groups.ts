/** Writes the groups of a plan as a root field: the inverse of `execution/groups-request.ts` (contract: prints). */
import { kinds } from '../../catalogue/kinds.ts';
import type { Table } from '../../catalogue/table.ts';
import { type Condition, isColumnCondition } from '../../plan/condition.ts';
import { countName, type GroupKey, type Groups, type GroupValue, pathsOver } from '../../plan/groups/groups.ts';
import type { Path } from '../../plan/paths.ts';
import type { Plan } from '../../plan/plan.ts';
import { aggregateNames, computations, looksBack, rowFunctions } from '../../plan/vocabulary/values.ts';
import type { RelationsOf } from '../../query/relation-names.ts';
import { refuse } from '../../query/write/conditions.ts';
import { measureName, withoutDefaults } from '../../query/write/groups.ts';
import { groupEnumName } from '../schema/groups/shared.ts';
import { camelCase, groupsName } from '../schema/names.ts';
import { writtenFilter, writtenOperator } from './filter.ts';
import { columnInput, graphqlLiteral, nested, relationFields, textLiteral } from './literals.ts';
import type { WrittenField } from './rows.ts';
import { aliased, WrittenSelection } from './selection.ts';

type GroupsPlan = Plan & { readonly groups: Groups };

/** How inputs name a key or a value of the groups. `having` writes a condition on it. */
interface Term {
  /** The fields of an input that names it. */
  readonly input: string;
  having(operator: string, isNumber: boolean): string;
}

/** Response keys of a group that no value may take. */
const reserved = ['key', 'asOf', countName, 'measures', ...aggregateNames.map(camelCase)];

class GroupsWriter {
  readonly #plan: GroupsPlan;
  readonly #table: Table;
  readonly #relationsOf: RelationsOf;
  readonly #nameOf: (name: string) => string;
  readonly #group = new WrittenSelection();
  readonly #names = new Set(reserved);
  readonly #terms = new Map<string, Term>();

  constructor(plan: GroupsPlan, table: Table, relationsOf: RelationsOf, nameOf: (name: string) => string) {
    this.#plan = plan;
    this.#table = table;
    this.#relationsOf = relationsOf;
    this.#nameOf = nameOf;
  }

  /** The root field. */
  write(): WrittenField {
    const { where, limit, after, groups, order, columns } = this.#plan;
    for (const key of groups.keys) this.#addKey(key);
    this.#terms.set(countName, { input: 'count: true', having: (operator) => `{ count: ${operator} }` });
    const values = [...groups.values, ...(groups.computed ?? [])];
    if (columns.includes(countName) || values.length + groups.keys.length === 0) this.#group.add(countName);
    for (const value of groups.values) this.#addValue(value);
    for (const value of groups.computed ?? []) this.#addComputed(value);
    const [series] = groups.keys.flatMap((key) => key.series ?? []);
    const steps = withoutDefaults(order, groups.keys).map(
      ({ column, isDescending }) => `{ ${this.#termOf(column).input}${isDescending ? ', direction: DESC' : ''} }`,
    );
    const list = (name: string, items: readonly string[]) => (items.length > 0 ? [`${name}: [${items.join(', ')}]`] : []);
    const args = [
      ...(series ? [`asOf: { every: ${series.every.toUpperCase()}, from: "${series.days[0]}", to: "${series.days.at(-1)}" }`] : []),
      ...(where ? [`filter: ${writtenFilter(where, this.#table.name, this.#relationsOf)}`] : []),
      ...(groups.having ? [`having: ${this.#having(groups.having)}`] : []),
      ...list('orderBy', steps),
      ...(groups.top
        ? [`topPer: { by: [${groups.top.by.map((name) => this.#keyInput(name)).join(', ')}], first: ${groups.top.first} }`]
        : []),
      ...list(
        'fill',
        (groups.filled ?? []).map((name) => this.#keyInput(name)),
      ),
      `first: ${limit}`,
    ];
    const name = groupsName(camelCase(this.#table.name));
    const notes = after ? ['The page begins at the first group.'] : [];
    return { field: `${aliased(name, name, args)} { totalCount groups ${this.#group} }`, notes };
  }

  /** A response key of the group that no other field has. */
  #freeName(name: string): string {
    let free = camelCase(name);
    for (let count = 2; this.#names.has(free); count++) free = `${camelCase(name)}${count}`;
    this.#names.add(free);
    return free;
  }

  #relations({ via }: Pick<Path, 'via'>): readonly string[] {
    return relationFields(this.#table.name, via, this.#relationsOf);
  }

  #columnInput(path: Path): string {
    return columnInput(this.#table.name, path, this.#relationsOf);
  }

  #termOf(name: string): Term {
    return this.#terms.get(name) ?? refuse(`GraphQL cannot name ${this.#nameOf(name)}`);
  }

  /** The input of a key without the field that names it a key. */
  #keyInput(name: string): string {
    return this.#termOf(name).input.replace(/^key: /, '');
  }

  #addKey({ name, via, column, bucket, band, series }: GroupKey): void {
    if (series) {
      this.#group.add('asOf');
      this.#terms.set(name, { input: 'key: { asOf: true }', having: () => refuse('GraphQL has no condition on the day of a series') });
      return;
    }
    const relations = this.#relations({ via });
    const selection = this.#group.at(['key', ...relations]);
    if (band) {
      const key = selection.free(camelCase(`${column}_${band.is}`));
      const bounds = {
        ranges: () => `ranges: [${band.is === 'ranges' ? band.bounds.map((bound) => graphqlLiteral('number', bound)).join(', ') : ''}]`,
        width: () => `width: ${band.is === 'width' ? graphqlLiteral('number', band.width) : ''}`,
        age: () => (band.is === 'age' ? `age: [${band.bounds.join(', ')}], on: "${band.on}"` : ''),
      }[band.is]();
      selection.add(key, aliased(key, 'band', [`of: ${groupEnumName(column)}`, bounds]));
      this.#terms.set(name, {
        input: `key: ${nested(relations, `{ band: ${textLiteral(key)} }`)}`,
        having: () => refuse('GraphQL has no condition on bands'),
      });
      return;
    }
    const key = selection.free(camelCase(column));
    const [bucketName] = bucket ? [bucket.toUpperCase()] : [];
    selection.add(key, aliased(key, camelCase(column), bucketName ? [`bucket: ${bucketName}`] : []));
    const named = `{ column: ${groupEnumName(column)}${bucketName ? `, bucket: ${bucketName}` : ''} }`;
    const isSeveral = this.#plan.groups.keys.filter((each) => each.column === column && this.#relations(each).join() === relations.join());
    this.#terms.set(name, {
      input: `key: ${nested(relations, named)}`,
      having: (operator) =>
        isSeveral.length > 1
          ? refuse(`GraphQL has no condition on one of several keys of ${column}`)
          : `{ key: ${nested([...relations, camelCase(column)], operator)} }`,
    });
  }

  /** The arguments of a value, and the response key if it has any. */
  #argumentsOf(value: GroupValue): readonly string[] {
    const where = 'where' in value ? value.where : undefined;
    return [
      ...(value.is === 'percentile' ? [`percent: ${value.percent}`] : []),
      ...(where ? [`filter: ${writtenFilter(where, this.#table.name, this.#relationsOf)}`] : []),
    ];
  }

  #addValue(value: GroupValue): void {
    const args = this.#argumentsOf(value);
    if (value.is === 'count') this.#addCount(value.name, args);
    else if (value.is === 'sum_once') this.#addSumOnce(value, args);
    else if (value.is === 'measure') this.#addMeasure(value);
    else this.#addAggregate(value, args);
  }

  #addCount(name: string, args: readonly string[]): void {
    if (args.length === 0) {
      this.#group.add(countName);
      this.#terms.set(name, this.#termOf(countName));
      return;
    }
    const key = this.#freeName(this.#nameOf(name));
    this.#group.add(key, aliased(key, countName, args));
    const of = `of: ${textLiteral(key)}`;
    this.#terms.set(name, { input: `${of}, count: true`, having: (operator) => `{ count: ${operator}, ${of} }` });
  }

  #addSumOnce(value: Extract<GroupValue, { is: 'sum_once' }>, args: readonly string[]): void {
    const key = this.#freeName(this.#nameOf(value.name));
    this.#group.add(key, aliased(key, 'sumOnce', [`of: ${this.#columnInput(value)}`, ...args]));
    this.#terms.set(value.name, {
      input: `sumOnce: ${textLiteral(key)}`,
      having: (operator) => `{ sumOnce: ${operator}, of: ${textLiteral(key)} }`,
    });
  }

  #addMeasure(value: Extract<GroupValue, { is: 'measure' }>): void {
    const name = measureName(value, this.#table.name, this.#relationsOf);
    this.#group.within('measures').add(camelCase(name));
    this.#terms.set(value.name, {
      input: `measure: ${groupEnumName(name)}`,
      having: (operator) => `{ measures: ${nested([camelCase(name)], operator)} }`,
    });
  }

  #addAggregate(value: Extract<GroupValue, { kind: unknown }>, args: readonly string[]): void {
    const field = camelCase(value.is);
    const key = args.length > 0 ? this.#freeName(this.#nameOf(value.name)) : field;
    const selection = this.#group.within(key, aliased(key, field, args));
    const of = args.length > 0 ? `, of: ${textLiteral(key)}` : '';
    if ('call' in value) {
      const inner = selection.free(args.length > 0 ? value.call : camelCase(this.#nameOf(value.name)));
      const operands = Object.keys(rowFunctions[value.call].operands).map((name, at) => `${name}: ${this.#columnInput(value.of[at]!)}`);
      selection.add(inner, aliased(inner, value.call, operands));
      this.#addNumber(value.name, [key, inner]);
      return;
    }
    const [path] = pathsOver(value);
    const fields = [...this.#relations(path!), camelCase(value.column)];
    selection.at(fields.slice(0, -1)).add(fields.at(-1)!);
    this.#addNumber(value.name, [key, ...fields], (operator) => `{ ${field}: ${nested(fields, operator)}${of} }`);
    // A column of the row has a shorter input, which the schema checks.
    if (fields.length === 1 && args.length === 0)
      this.#terms.set(value.name, { ...this.#termOf(value.name), input: `${field}: ${groupEnumName(value.column)}` });
  }

  /** A value that inputs name by its response keys. Conditions on values that are no numbers have a form of their own. */
  #addNumber(name: string, responseKeys: readonly string[], ofOther?: (operator: string) => string): void {
    const keys = textLiteral(responseKeys.join('.'));
    this.#terms.set(name, {
      input: `value: ${keys}`,
      having: (operator, isNumber) => (isNumber || !ofOther ? `{ value: ${operator}, of: ${keys} }` : ofOther(operator)),
    });
  }

  #addComputed({ is, name, of, within, along }: NonNullable<Groups['computed']>[number]): void {
    const key = this.#freeName(this.#nameOf(name));
    const operands = Object.keys(computations[is].operands).map((operand, at) => `${operand}: { ${this.#termOf(of[at]!).input} }`);
    const args = [
      ...operands,
      ...(within.length > 0 && !looksBack(is) ? [`within: [${within.map((each) => this.#keyInput(each)).join(', ')}]`] : []),
      ...(along && !this.#isOnlyPeriod(along.name) ? [`along: ${this.#keyInput(along.name)}`] : []),
      ...(along && along.periods !== 1 ? [`periods: ${along.periods}`] : []),
    ];
    this.#group.add(key, aliased(key, camelCase(is), args));
    this.#terms.set(name, {
      input: `computed: ${textLiteral(key)}`,
      having: (operator) => `{ computed: ${operator}, of: ${textLiteral(key)} }`,
    });
  }

  /** Whether a key is the only one with periods of time. Values look back along it by default. */
  #isOnlyPeriod(name: string): boolean {
    const [only, another] = this.#plan.groups.keys.filter(({ bucket }) => bucket);
    return only?.name === name && !another;
  }

  #having(condition: Condition): string {
    if (condition.is === 'and' || condition.is === 'or')
      return `{ ${condition.is}: [${condition.of.map((part) => this.#having(part)).join(', ')}] }`;
    if (condition.is === 'not') return `{ not: ${this.#having(condition.of)} }`;
    if (!isColumnCondition(condition)) return refuse('GraphQL has no such condition on groups');
    const name = condition.column.replace(/ label$/, '');
    const isNumber = !('kind' in condition) || kinds[condition.kind].wire === 'number';
    return this.#termOf(name).having(writtenOperator(condition), isNumber && condition.is !== 'found');
  }
}

/**
 * The root field of a plan for groups. `nameOf` gives the name of a value in the answer of the address. Throws `Unwritable` if GraphQL cannot
 * say a part of the plan.
 */
export const printedGroups = (
  plan: GroupsPlan,
  table: Table,
  relationsOf: RelationsOf,
  nameOf: (name: string) => string = (name) => name,
): WrittenField => new GroupsWriter(plan, table, relationsOf, nameOf).write();
