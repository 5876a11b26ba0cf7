/** Random conditions, orders and columns of category pages, many of which name hidden columns or lead to hidden rows. */
import type { Column } from '../../src/catalogue/column.ts';
import type { Table } from '../../src/catalogue/table.ts';
import { aggregatableColumns } from '../../src/plan/groups/groups.ts';
import { type Aggregate, relatedAggregateNames } from '../../src/plan/vocabulary/values.ts';
import { snakeCase } from '../../src/query/relation-names.ts';
import { categoryTables, type Guesses, type KnownPage, type Parameter, relationsOf, tableNamed } from './guesses.ts';

const isPersonal = ({ personal }: Column) => personal !== undefined;
const isCoded = ({ lookup }: Column) => lookup !== undefined;
const isAny = () => true;

/** Headers of a page that depend on its parameters. */
const strict = { Prefer: 'handling=strict' };

interface RowQuestion {
  readonly method: 'GET' | 'HEAD';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class RowRequests {
  readonly #guesses: Guesses;

  constructor(guesses: Guesses) {
    this.#guesses = guesses;
  }

  /** The path of a column, often of a personal or a coded one. */
  #path(table: Table): string {
    const { random } = this.#guesses;
    return this.#guesses.column(table, random.oneOf([isPersonal, isCoded, isAny, isAny])).path;
  }

  /** A condition on related rows or on their number, whose own condition can be on rows related to them. */
  #related(table: Table, depth: number): string {
    const { random } = this.#guesses;
    const toMany = relationsOf(table, 'to-many');
    if (toMany.length === 0) return this.#guesses.condition(table);
    const { name, target } = random.oneOf(toMany);
    const inner = random.some([0, 0], 2).map(() => this.#condition(tableNamed(target), depth - 1));
    const compared = random.chance(0.3) ? random.oneOf(['>', '>=', '=', '!=', '<']) + random.below(4) : undefined;
    return `${snakeCase(name)}:${compared ? 'count' : random.oneOf(['some', 'none', 'every'])}(${inner.join()})${compared ?? ''}`;
  }

  #condition(table: Table, depth: number): string {
    return depth > 0 && this.#guesses.random.chance(0.4) ? this.#related(table, depth) : this.#guesses.condition(table);
  }

  /** An order, which can name a function or an aggregate that the columns may have. */
  #order(table: Table): Parameter {
    const { random } = this.#guesses;
    const terms = [0, ...random.some([0, 0], 2)].map(
      () => `${random.chance(0.5) ? '-' : ''}${random.chance(0.2) ? random.oneOf(['f0', 'f2']) : this.#path(table)}`,
    );
    return ['order', terms.join()];
  }

  /** A named function of two columns, of which one is often personal. */
  #function(table: Table, name: string): string {
    return `${name}:${this.#guesses.rowFunction(table)}`;
  }

  /** A named aggregate of related rows, whose column or condition is often personal. */
  #aggregate(table: Table, name: string): readonly string[] {
    const { random } = this.#guesses;
    const toMany = relationsOf(table, 'to-many');
    if (toMany.length === 0) return [];
    const relation = random.oneOf(toMany);
    const target = tableNamed(relation.target);
    const conditions = random.some([0, 0], 2).map(() => this.#condition(target, 1));
    const call = random.oneOf(['count', 'count', ...relatedAggregateNames.filter((each) => each !== 'percentile')]);
    const isPossible = (column: string) => call === 'count' || aggregatableColumns(target, call as Aggregate).includes(column);
    const columns = Object.keys(target.columns).filter(isPossible);
    const column = call === 'count' || columns.length === 0 ? '' : `.${random.oneOf(columns)}`;
    return [`${name}:${call}(${[`${snakeCase(relation.name)}${column}`, ...conditions]})`];
  }

  #columns(table: Table): Parameter {
    const { random } = this.#guesses;
    const functions = random.some([0, 1], 2).map((at) => this.#function(table, `f${at}`));
    const aggregates = random.some([2, 3], 2).flatMap((at) => this.#aggregate(table, `f${at}`));
    const columns = new Set([0, ...random.some([0, 0, 0], 5)].map(() => this.#path(table)));
    return ['columns', [...columns, ...functions, ...aggregates].join()];
  }

  /** A filter by any column. */
  #filter(table: Table): Parameter {
    const name = this.#guesses.random.oneOf(Object.keys(table.columns));
    return [name, this.#guesses.value(table.name, name)];
  }

  /** The next page of an earlier one, or that cursor with other lists. */
  #next({ path, cursor }: KnownPage): RowQuestion {
    const { random } = this.#guesses;
    const [at = '', search = ''] = path.split('?');
    const query = new URLSearchParams(search);
    query.delete('offset');
    query.set('cursor', cursor);
    if (random.chance(0.3)) {
      const table = categoryTables.find(({ category, name }) => at.endsWith(`/${category}/${name}`))!;
      const [name, value] = random.oneOf([
        () => this.#order(table),
        () => this.#columns(table),
        () => this.#filter(table),
        (): Parameter => ['where', this.#condition(table, 2)],
      ])();
      query.set(name, String(value));
    }
    return { method: 'GET', path: `${at}?${query}` };
  }

  /** Conditions, an order and columns, of which each may be absent. */
  lists(table: Table): readonly Parameter[] {
    const { random } = this.#guesses;
    return [
      ...random.some([0, 0], 2).map((): Parameter => ['where', this.#condition(table, 2)]),
      ...(random.chance(0.5) ? [this.#order(table)] : []),
      ...(random.chance(0.6) ? [this.#columns(table)] : []),
    ];
  }

  next(): RowQuestion {
    const { random, pool } = this.#guesses;
    const { pages = [] } = pool;
    if (pages.length > 0 && random.chance(0.2)) return this.#next(random.oneOf(pages));
    const table = random.oneOf(categoryTables);
    const parameters: Parameter[] = [
      ...(random.chance(0.95) ? table.requiredFilters.map((name): Parameter => [name, this.#guesses.value(table.name, name)]) : []),
      ...this.lists(table),
      ...(random.chance(0.3) ? [this.#filter(table)] : []),
      ...(random.chance(0.9) ? [['limit', random.oneOf([1, 2, 5, 20, 100, 1_500])] as Parameter] : []),
      ...(random.chance(0.15) ? [['offset', random.oneOf([0, 1, 7, 60, 510])] as Parameter] : []),
      ...(random.chance(0.05) ? [['staus', 'open'] as Parameter] : []),
      ...(random.chance(0.2) ? [['format', 'csv'] as Parameter] : []),
      ...this.#guesses.cursor(),
    ];
    const query = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]));
    return {
      method: random.chance(0.1) ? 'HEAD' : 'GET',
      path: `${random.chance(0.1) ? '/v1' : ''}/${table.category}/${table.name}?${query}`,
      ...(random.chance(0.05) && { headers: strict }),
    };
  }
}
