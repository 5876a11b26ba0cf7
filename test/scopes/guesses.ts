/** Random choices, and guesses of values, paths and conditions, from the whole catalogue. */
import type { Column } from '../../src/catalogue/column.ts';
import { catalogue, type ResolvedRelation } from '../../src/catalogue/index.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import type { Table } from '../../src/catalogue/table.ts';
import { rowFunctionNames } from '../../src/plan/vocabulary/values.ts';
import { snakeCase } from '../../src/query/relation-names.ts';
import { Random } from '../support/random.ts';
import type { Values } from './worlds.ts';

export const categoryTables = [...catalogue.tables.values()];
/** Tables whose rows have a validity, so that groups can have a series. */
export const validTables = categoryTables.filter(({ validity }) => validity);
export const rawNames = Object.keys(rawTables);

export const relationsOf = ({ name }: Table, is: ResolvedRelation['kind']) =>
  (catalogue.relations.get(name) ?? []).filter(({ kind }) => kind === is);
export const tableNamed = (name: string): Table => catalogue.tables.get(name)!;
export const isNumeric = ({ kind }: Column) => kind === 'number' || kind === 'integer' || kind === 'bigint';
export const isTime = ({ kind }: Column) => kind === 'date' || kind === 'timestamp';

/** A page whose next page can be requested. */
export interface KnownPage {
  readonly path: string;
  readonly cursor: string;
}

export interface Pool {
  readonly values: Values;
  /** Cursors and tags of earlier answers, of this key and of others. */
  readonly cursors: string[];
  readonly etags: string[];
  /** Earlier pages with their cursors. */
  readonly pages?: KnownPage[];
  /** The persisted documents of the service. */
  readonly documents?: readonly string[];
  /** The paths of files, whether the key may read them or not. */
  readonly files?: readonly string[];
}

/** A parameter of a query string. */
export type Parameter = readonly [name: string, value: unknown];

/** A column of a table, or of a row that to-one relations lead to. */
export interface FoundColumn {
  readonly path: string;
  readonly table: Table;
  readonly name: string;
  readonly column: Column;
}

export class Guesses {
  readonly random: Random;
  readonly pool: Pool;

  constructor(seed: number, pool: Pool) {
    this.random = new Random(seed);
    this.pool = pool;
  }

  value(table: string, column: string): unknown {
    const values = this.pool.values.get(`${table}.${column}`);
    if (!values || this.random.chance(0.05)) return this.random.oneOf(['', 'canary', 0, '1001', 1002]);
    return this.random.oneOf(values);
  }

  literal(table: string, column: string, kind: string): string {
    const value = this.value(table, column);
    if (kind === 'integer' || kind === 'bigint' || kind === 'number') return String(Number(value) || 0);
    if (kind === 'boolean') return String(value === true);
    return JSON.stringify(String(value));
  }

  cursor(): Parameter[] {
    const { cursors } = this.pool;
    return cursors.length > 0 && this.random.chance(0.2) ? [['cursor', this.random.oneOf(cursors)]] : [];
  }

  column(table: Table, isWanted: (column: Column) => boolean = () => true, depth = 2): FoundColumn {
    const toOne = relationsOf(table, 'to-one');
    const columns = Object.entries(table.columns).filter(([, column]) => isWanted(column));
    if (depth > 0 && toOne.length > 0 && (columns.length === 0 || this.random.chance(0.4))) {
      const relation = this.random.oneOf(toOne);
      const found = this.column(tableNamed(relation.target), isWanted, depth - 1);
      return { ...found, path: `${snakeCase(relation.name)}.${found.path}` };
    }
    const [name, column] = this.random.oneOf(columns.length > 0 ? columns : Object.entries(table.columns));
    return { path: name, table, name, column };
  }

  /** A row function of two columns, of which one is often personal. */
  rowFunction(table: Table): string {
    const { random } = this;
    const call = random.oneOf(rowFunctionNames);
    const isOperand = ({ kind }: Column) => (call === 'days' ? kind === 'date' || kind === 'timestamp' : kind === 'number');
    const isPersonal = (column: Column) => isOperand(column) && column.personal !== undefined;
    const operand = () => this.column(table, random.oneOf([isOperand, isOperand, isOperand, isPersonal])).path;
    return `${call}(${operand()},${operand()})`;
  }

  /** A condition on a column, with a number or with a value of it; on a row function; or alternatives. */
  condition(table: Table): string {
    const { random } = this;
    if (random.chance(0.1)) return `${this.rowFunction(table)}${random.oneOf(['>0', '<=300', '!=1', ':is_null', ':not_in(0,31)'])}`;
    if (random.chance(0.1)) return `${random.oneOf(['any', 'all'])}(${[this.condition(table), this.condition(table)]})`;
    const { path, table: of, name } = this.column(table);
    if (random.chance(0.3)) return `${path}:${random.oneOf(['is_null', 'is_not_null'])}`;
    const by = random.oneOf(['=', '!=', '>', '<=']);
    if (random.chance(0.4)) return `${path}${by}${random.below(2_000)}`;
    const value = `"${String(this.value(of.name, name)).replaceAll('"', '""')}"`;
    if (random.chance(0.2)) return `${path}:${random.oneOf(['in', 'not_in', 'contains', 'istarts_with'])}(${value})`;
    return `${path}${by}${value}`;
  }

  /** A condition on related rows that are valid on the day of a series. */
  validCondition(table: Table): string {
    const toMany = relationsOf(table, 'to-many');
    const valid = toMany.filter(({ target }) => tableNamed(target).validity);
    const relation = this.random.oneOf(valid.length > 0 && this.random.chance(0.9) ? valid : toMany);
    if (!relation) return this.condition(table);
    const within = this.random.chance(0.5) ? this.condition(tableNamed(relation.target)) : '';
    return `${snakeCase(relation.name)}:${this.random.oneOf(['some_valid', 'none_valid'])}(${within})`;
  }
}
