/** Compares a draft with the truth of an export: its proposals, its questions, and the values that a load would read. */
import { parse } from 'yaml';
import { rawLookups } from '../../../src/catalogue/raw/codes.ts';
import { rawColumnFacts } from '../../../src/catalogue/raw/columns.ts';
import type { RawTableName } from '../../../src/catalogue/raw/index.ts';
import { ruleOf } from '../../../src/sources/columns/column-value.ts';
import { valuesOfRow } from '../../../src/sources/keys/copy-fields.ts';
import { isRejected, mappedRows, mappingOf, noCounts } from '../../../src/sources/mapped-rows.ts';
import { questionsOf } from '../../../src/sources/questions.ts';
import { openLists } from '../../../src/sources/readers/open-list.ts';
import type { ColumnRule, Source, TableRule } from '../../../src/sources/source-file.ts';
import { catalogueTarget } from '../../../src/sources/target-table.ts';
import type { Comparison, TrueColumn, TrueList, Unseen } from './truth.ts';
import { isCompared, isFound, isRight } from './truth-targets.ts';
import type { Canonical } from './world.ts';

export interface Figures {
  readonly lists: number;
  /** Columns with a target, and those that have it in the draft. */
  readonly columns: number;
  readonly found: number;
  /** Proposals, and the right ones among them. */
  readonly proposed: number;
  readonly right: number;
  readonly questions: number;
  /** Values that a load would take without a question, and that are not true. */
  readonly wrongValues: number;
  /** Values that were compared. */
  readonly values: number;
  /** What is wrong, in words; each column once. */
  readonly faults: readonly string[];
}

/** A line that asks the person something. */
const question = /needs a value|unknown codes|\?|\bquestion|\bask\b|\bdecide|\bstate\b/i;

interface Draft {
  readonly source: Source;
  /** The lines of each table that ask. */
  readonly asked: readonly (readonly string[])[];
  readonly questions: number;
}

const readDraft = (text: string): Draft => {
  const read = parse(text, { merge: true }) as Partial<Source>;
  const comments = (part: string) => part.split('\n').filter((line) => line.includes('#') && question.test(line.slice(line.indexOf('#'))));
  const [head = '', ...blocks] = text.split(/^ *- table:/m);
  // A table of which nothing is known has comments only.
  const tables = (read.tables ?? []).map((rule) => ({ ...rule, columns: rule.columns ?? {} }));
  return {
    source: { ...read, name: 'draft', tables },
    asked: blocks.map(comments),
    questions: comments(head).length + blocks.flatMap(comments).length + tables.flatMap(questionsOf).length,
  };
};

const nameOf = ({ path, dialect, dbtable }: Pick<TableRule, 'path' | 'dialect' | 'dbtable'>): string =>
  dbtable?.split('.').at(-1)?.replaceAll(/["`]/g, '') ?? (dialect?.sheetName === undefined ? `${path}` : `${path}#${dialect.sheetName}`);

/** The list of a rule. The first sheet needs no name. */
const listOf = ({ lists }: Unseen, rule: TableRule): TrueList | undefined =>
  lists.find(({ name }) => name === nameOf(rule)) ?? lists.find(({ name }) => name.split('#')[0] === rule.path);

interface Pair {
  readonly target: string;
  readonly from: string;
  /** The rule, if the value is that of this column alone. */
  readonly alone: ColumnRule | string | undefined;
  readonly isJoined: boolean;
  readonly isKey: boolean;
}

const pairsOf = ({ table, columns, primaryKey }: TableRule): Pair[] => {
  const key = catalogueTarget(table)?.key;
  const keys = typeof primaryKey === 'string' && primaryKey !== '$row' && key !== undefined && !(key in columns) ? [primaryKey] : [];
  return [
    ...keys.map((from): Pair => ({ target: `${table}.${key}`, from, alone: undefined, isJoined: false, isKey: true })),
    ...Object.entries(columns).flatMap(([name, rule]): Pair[] => {
      const one: ColumnRule = typeof rule === 'string' ? { from: rule } : rule;
      const target = `${table}.${name}`;
      if (one.join) return one.join.map((from) => ({ target, from, alone: undefined, isJoined: true, isKey: false }));
      const from = [one.from ?? []].flat();
      return from.map((each) => ({ target, from: each, alone: from.length === 1 ? rule : undefined, isJoined: false, isKey: false }));
    }),
  ];
};

const normal = (compare: Comparison, value: Canonical, isIban: boolean): string => {
  if (value === null) return '';
  const text = value.trim().replaceAll(/\s+/g, ' ');
  if (compare === 'number') return text === '' ? '' : String(Math.round(Number(text) * 100) / 100);
  if (compare === 'key') return /^0*\d+$/.test(text) ? String(BigInt(text)) : text;
  return isIban ? text.replaceAll(' ', '') : text;
};

/** Whether the check of the source names the value as an unknown code. */
const isUnknownCode = (target: string, value: Canonical): boolean => {
  const [table, column = ''] = target.split('.');
  const lookup = rawColumnFacts(table as RawTableName, column).lookup;
  return lookup !== undefined && value !== null && !rawLookups[lookup].some(([code]) => code === value);
};

interface ReadRow {
  readonly place: number | string;
  readonly values: readonly Canonical[] | undefined;
}

/** Reads the rows with some columns of a rule. Values of rows that are rejected are undefined. */
const readRows = async (
  source: Source,
  folder: string,
  rule: TableRule,
  asked: TableRule['columns'],
  hasKey: boolean,
): Promise<ReadRow[]> => {
  // A question excuses no wrong value elsewhere: the columns are read as if it was answered.
  const columns = Object.fromEntries(
    Object.entries(asked).map(([name, own]) => {
      const { question: _, ...answered } = ruleOf(own);
      return [name, answered];
    }),
  );
  const { latest: _, deletions: __, mode: ___, question: ____, primaryKey, ...others } = rule;
  const target = catalogueTarget(rule.table)!;
  const own = target.key in columns ? undefined : hasKey ? (primaryKey ?? '$row') : '$row';
  // As part of an export, a rule may lack columns.
  const partial: TableRule = { ...others, mode: 'upsert', columns, ...(own !== undefined && { primaryKey: own }) };
  const mapping = mappingOf(
    { ...source, tables: [partial] },
    partial,
    target,
    Object.keys(columns).filter((name) => name !== target.key),
  );
  const rows: ReadRow[] = [];
  for await (const batch of mappedRows(source, folder, mapping, { counts: noCounts(mapping.columns.length) }))
    for (const row of batch) {
      const { line, cells } = row;
      const place = rule.database === undefined ? line : String(cells[0] ?? '');
      const isKey = target.key in columns && Object.keys(columns).length === 1;
      const values = isRejected(row) ? undefined : isKey ? [row.key] : valuesOfRow(row.fields, mapping.columns.length);
      rows.push({ place, values });
    }
  return rows;
};

const columnsOf = async (source: Source, folder: string, rule: TableRule): Promise<readonly string[]> => {
  for await (const { columns } of openLists(source, folder, rule)) return columns;
  return [];
};

class Measure {
  readonly #unseen: Unseen;
  readonly #folder: string;
  readonly #draft: Draft;
  readonly #found = new Set<TrueColumn>();
  readonly #faults: string[] = [];
  #proposed = 0;
  #right = 0;
  #wrongValues = 0;
  #values = 0;

  constructor(unseen: Unseen, folder: string, text: string) {
    this.#unseen = unseen;
    this.#folder = folder;
    this.#draft = readDraft(text);
  }

  async figures(): Promise<Figures> {
    for (const [index, rule] of this.#draft.source.tables.entries()) await this.#rule(rule, this.#draft.asked[index] ?? []);
    const { lists } = this.#unseen;
    return {
      lists: lists.length,
      columns: lists.flatMap(({ columns }) => columns.filter(({ to }) => to.length > 0)).length,
      found: this.#found.size,
      proposed: this.#proposed,
      right: this.#right,
      questions: this.#draft.questions,
      wrongValues: this.#wrongValues,
      values: this.#values,
      faults: this.#faults,
    };
  }

  async #rule(rule: TableRule, asked: readonly string[]): Promise<void> {
    const list = listOf(this.#unseen, rule);
    if (!list) throw new Error(`the draft has a list that the export has not: ${JSON.stringify(rule)}`);
    const names = await columnsOf(this.#draft.source, this.#folder, rule);
    const pairs = pairsOf(rule).flatMap((pair) => {
      const column = list.columns[names.indexOf(pair.from)];
      return column ? [{ ...pair, column }] : [];
    });
    const rightJoins = new Set(
      pairs.flatMap(({ target, column, isJoined }) => (isJoined && isRight(column, list, target) ? [target] : [])),
    );
    for (const { target, from, alone, isJoined, isKey, column } of pairs) {
      const right = isRight(column, list, target) || (isJoined && rightJoins.has(target));
      if (isFound(column, target)) this.#found.add(column);
      // A key that is right is no proposal of its own, because a part of several keys may be any column.
      if (isKey && right) continue;
      this.#proposed++;
      if (right) this.#right++;
      else this.#faults.push(`${list.name}: ${from} → ${target} is wrong, it is ${column.to.join(' or ') || 'nothing'}`);
      if (right && alone !== undefined && isCompared(column, target)) await this.#compare(rule, asked, list, column, target, from, alone);
    }
    this.#currency(rule, list, asked);
    await this.#others(rule, list);
  }

  /** Values that are read without an error and are not true. */
  async #compare(
    rule: TableRule,
    asked: readonly string[],
    list: TrueList,
    column: TrueColumn,
    target: string,
    from: string,
    alone: ColumnRule | string,
  ): Promise<void> {
    const name = target.split('.')[1]!;
    if (ruleOf(alone).question !== undefined) return;
    if (asked.some((line) => line.includes(from) || line.includes(name))) return;
    const truth = new Map(list.places.map((place, index) => [place, (column.valuesIn?.[target] ?? column.values)[index]]));
    const rows = await readRows(this.#draft.source, this.#folder, rule, { [name]: alone }, false);
    const wrong = rows.flatMap(({ place, values }) => {
      const expected = truth.get(place);
      if (values === undefined || expected === undefined) return [];
      const [value = null] = values;
      this.#values++;
      const isIban = name === 'iban';
      if (normal(column.compare, value, isIban) === normal(column.compare, expected, isIban) || isUnknownCode(target, value)) return [];
      return [`${place}: ${value} instead of ${expected}`];
    });
    this.#count(wrong.length, `${list.name}: ${from} → ${target}, ${wrong.length} of ${rows.length} values, such as in ${wrong[0]}`);
  }

  #count(wrong: number, fault: string): void {
    this.#wrongValues += wrong;
    if (wrong > 0) this.#faults.push(fault);
  }

  #currency({ columns, table }: TableRule, { name, places }: TrueList, asked: readonly string[]): void {
    const { currency } = columns;
    if (typeof currency !== 'object' || currency.constant === undefined || asked.some((line) => line.includes('currency'))) return;
    const { currency: expected } = this.#unseen;
    if (currency.constant !== expected)
      this.#count(places.length, `${name}: the currency of ${table} is ${currency.constant} instead of ${expected}`);
  }

  /** Lines that are no rows and would be loaded, such as sums; and rows of the main table that are left out without a word. */
  async #others(rule: TableRule, list: TrueList): Promise<void> {
    const rows = await readRows(this.#draft.source, this.#folder, rule, rule.columns, true);
    const places = new Set(list.places);
    const more = rows.filter(({ place, values }) => values !== undefined && !places.has(place));
    this.#count(more.length, `${list.name}: ${more.length} lines that are no rows of ${rule.table}, such as ${more[0]?.place}`);
    if (rule.table !== list.tables[0] || rule.keep !== undefined) return;
    const read = new Set(rows.map(({ place }) => place));
    const lost = list.places.filter((place) => !read.has(place));
    this.#count(lost.length, `${list.name}: ${lost.length} rows are left out, such as ${lost[0]}`);
  }
}

export const measure = (unseen: Unseen, folder: string, text: string): Promise<Figures> => new Measure(unseen, folder, text).figures();
