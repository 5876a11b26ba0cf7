/** Random groups as parameters of REST: plain keys, bands, series, sums over relations and computed values. */

import { catalogue } from '../../src/catalogue/index.ts';
import { measuresOf } from '../../src/catalogue/measures/measure-formula.ts';
import type { Table } from '../../src/catalogue/table.ts';
import { rowFunctionNames, rowFunctions } from '../../src/plan/vocabulary/values.ts';
import { categoryTables, type Guesses, isNumeric, isTime, type Parameter, validTables } from './guesses.ts';

/** What a request for groups is about. */
export const groupFeatures = ['plain', 'bands', 'series', 'computed'] as const;
export type GroupFeature = (typeof groupFeatures)[number];

export interface GroupQuestion {
  readonly table: Table;
  readonly parameters: readonly Parameter[];
}

const when = (isGiven: boolean, ...parameters: readonly Parameter[]): readonly Parameter[] => (isGiven ? parameters : []);

/** Days on which ages are computed, and bounds. Without a day, an answer would depend on the clock. */
const days = ['2024-12-31', '2025-06-30', '2026-01-31'];
const bounds = ['0', '0,1000', '-100,0,100', '1,2,3,1000,5000', '1001,1002'];

export class GroupRequests {
  readonly #guesses: Guesses;

  constructor(guesses: Guesses) {
    this.#guesses = guesses;
  }

  /** A column by bands. A column of another kind is an error that must not depend on hidden data either. */
  #band(table: Table): string {
    const { random } = this.#guesses;
    if (random.chance(0.5)) {
      const { path } = this.#guesses.column(table, isTime);
      return `${path}:age(${random.oneOf(['0', '30,60', '365,3650', '10000,20000'])},on=${random.oneOf(days)})`;
    }
    const { path } = this.#guesses.column(table, isNumeric);
    return random.chance(0.5) ? `${path}:ranges(${random.oneOf(bounds)})` : `${path}:width(${random.oneOf(['1', '100', '2500'])})`;
  }

  #period(table: Table): string {
    const { random } = this.#guesses;
    return `${this.#guesses.column(table, isTime).path}:${random.oneOf(['month', 'quarter', 'year'])}`;
  }

  /** An aggregate of a function of two columns. */
  #applied(table: Table): string {
    const { random } = this.#guesses;
    const call = random.oneOf(rowFunctionNames);
    const operand = () => this.#guesses.column(table, rowFunctions[call].over === 'moments' ? isTime : isNumeric).path;
    return `f:${random.oneOf(['sum', 'avg', 'min', 'max', 'median', 'distinct'])}(${call}(${operand()},${operand()}))`;
  }

  #series(): string {
    const [from, to] = this.#guesses.random.oneOf([
      ['2024-01-01', '2025-12-31'],
      ['2025-03-01', '2025-05-31'],
      ['2015-01-01', '2030-12-31'],
    ]);
    const every = this.#guesses.random.oneOf(from === '2015-01-01' ? ['year'] : ['month', 'quarter', 'year']);
    return `as_of:${every}(${from},${to})`;
  }

  /** The name of a key in the answer. */
  #nameOf(key: string): string {
    return key
      .replace(/\(.*$/, '')
      .replaceAll(/[.:]/g, '_')
      .replace(/^as_of_.*$/, 'as_of');
  }

  /** Computed values of the given ones. They can name values that are not shown. */
  #computed(values: readonly string[], keys: readonly string[]): string {
    const { random } = this.#guesses;
    const [one, other] = [random.oneOf(values), random.oneOf(values)];
    const within = keys.length > 0 && random.chance(0.4) ? `,${this.#nameOf(random.oneOf(keys))}` : '';
    return random.oneOf([
      `c:ratio(${one},${other})`,
      `c:difference(${one},${other})`,
      `c:share(${one}${within})`,
      `c:rank(${one}${within})`,
      `c:running_total(${one}${within})`,
      `c:previous(${one}${within})`,
      `c:change(${one},${random.oneOf([1, 2, 12])})`,
    ]);
  }

  next(features: readonly GroupFeature[]): GroupQuestion {
    const guesses = this.#guesses;
    const { random } = guesses;
    const has = (feature: GroupFeature) => features.includes(feature);
    const table = has('series') && random.chance(0.95) ? random.oneOf(validTables) : random.oneOf(categoryTables);
    const columns = Object.keys(table.columns);
    const measures = measuresOf(table.name, (name) => catalogue.relations.get(name) ?? [])
      .filter(({ needsDay }) => !needsDay || has('series'))
      .map(({ name }) => name);
    const keys = [
      ...random.some([0, 1, 2], 2).map(() => guesses.column(table).path),
      ...(has('bands') ? [this.#band(table), ...random.some([0], 1).map(() => this.#band(table))] : []),
      ...(has('series') ? [this.#series()] : []),
      ...(has('computed') && random.chance(0.4) ? [this.#period(table)] : []),
    ];
    const by = [...new Set(keys)];
    const folded = random.oneOf(['sum', 'avg', 'min', 'max', 'distinct', 'median', 'stddev']);
    const numbers = columns.filter((name) => table.columns[name]!.kind === 'number');
    const isOfNumbers = !['min', 'max', 'distinct'].includes(folded);
    const of = random.oneOf(isOfNumbers && numbers.length > 0 ? numbers : columns);
    const value = `${folded}_${of}`;
    const rows = (): string => (has('series') && random.chance(0.5) ? guesses.validCondition(table) : guesses.condition(table));
    const filled = by.filter((key) => /\(|:/.test(key));
    const parameters: Parameter[] = [
      ...(random.chance(0.95) ? table.requiredFilters.map((name): Parameter => [name, guesses.value(table.name, name)]) : []),
      ...(random.chance(0.5) ? by.map((key): Parameter => ['by', key]) : when(by.length > 0, ['by', by.join()])),
      ['count', ''],
      ...when(random.chance(0.5), [folded, of]),
      ...when(random.chance(0.15), ['sum_once', guesses.column(table, isNumeric).path]),
      ...when(random.chance(0.15), [random.oneOf(['min', 'max', 'distinct']), guesses.column(table).path]),
      ...when(random.chance(0.1), [random.oneOf(['median', 'avg', 'stddev']), guesses.column(table, isNumeric).path]),
      ...when(random.chance(0.2), ['value', this.#applied(table)]),
      ...when(measures.length > 0 && random.chance(0.3), ['measure', random.oneOf(measures)]),
      ...when(random.chance(0.3), ['where', rows()]),
      ...when(random.chance(0.3), ['value', `part:count(${rows()})`]),
      ...when(random.chance(0.1), ['value', `p:percentile(${of},${random.oneOf([10, 50, 90])})`]),
      ...when(has('computed'), ['value', this.#computed(['count', value, `max_${of}`], by)]),
      ...(filled.length > 0 && random.chance(0.5) ? [['fill', this.#nameOf(random.oneOf(filled))] as const] : []),
      ...when(random.chance(0.2), ['having', `count>${random.below(5)}`]),
      ...when(random.chance(0.2), ['having', `${value}>${random.below(5)}`]),
      ...when(has('computed') && random.chance(0.3), ['having', `c>${random.below(50)}`]),
      ...when(random.chance(0.3), ['order', random.oneOf(['-count', 'count', `-${value}`, ...(has('computed') ? ['-c', 'c'] : [])])]),
      ...random.some(table.filters, 1).map((name): Parameter => [name, guesses.value(table.name, name)]),
      ...when(random.chance(0.5), ['limit', random.oneOf([1, 3, 50])]),
      ...guesses.cursor(),
    ];
    return { table, parameters };
  }
}
