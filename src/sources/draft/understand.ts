/** A draft as a person sees it: its doubts, and what each list and each column becomes. It follows from the text and from the lists. */
import { type Document, isMap, isScalar, isSeq } from 'yaml';
import { OperatorError } from '../../errors.ts';
import { columnsOfRule, ruleOf } from '../columns/column-value.ts';
import { namedColumns } from '../columns/named-columns.ts';
import type { Source, TableRule } from '../source-file.ts';
import { readDraft } from './answers.ts';
import { type Doubt, listOf, type OpenDoubt, type SeenList } from './doubt.ts';
import { doubtsOf } from './doubts.ts';
import { draftedName } from './write.ts';

/** `rows`: the column is no value, but it says which rows count or what identifies them. */
export type Mark = 'sure' | 'doubtful' | 'rows' | 'unused';

export interface UnderstoodColumn {
  readonly name: string;
  /** Up to three values as they are. */
  readonly values: readonly string[];
  readonly mark: Mark;
  /** The raw columns, each with the evidence of the draft. */
  readonly targets: readonly { readonly column: string; readonly evidence: string }[];
}

export interface UnderstoodList {
  readonly name: string;
  readonly tables: readonly { readonly table: string; readonly evidence: string }[];
  readonly columns: readonly UnderstoodColumn[];
}

export interface Understood {
  /** The name of the source. */
  readonly name: string;
  readonly doubts: readonly Doubt[];
  readonly lists: readonly UnderstoodList[];
  /** Why the text is no source file: the draft knows no raw table for any list. */
  readonly problem?: string;
}

const evidenceOfColumn = (document: Document, index: number, column: string): string => {
  const node = document.getIn(['tables', index, 'columns', column], true);
  return ((isMap(node) || isScalar(node)) && node.comment?.trim()) || '';
};

/** The line of the draft above a table: `units.csv → floor_area: 7 of 7 columns fit it.` */
const evidenceOfTable = (document: Document, index: number, table: string): string => {
  const tables = document.get('tables', true);
  if (!isSeq(tables)) return '';
  const item = tables.items[index];
  const comment = [index === 0 ? tables.commentBefore : '', isMap(item) ? item.commentBefore : ''].join('\n');
  const mark = `→ ${table}: `;
  const line = comment.split('\n').findLast((one) => one.includes(mark)) ?? '';
  return line.slice(line.indexOf(mark) + mark.length).trim();
};

/** The columns that say which rows count and what identifies them. */
const columnsOfRows = (rule: TableRule): readonly string[] =>
  namedColumns(rule).flatMap(({ at: [first], name }) => (first === 'columns' || first === 'knownColumns' ? [] : [name]));

const understoodList = (
  document: Document,
  source: Source,
  list: SeenList,
  all: readonly SeenList[],
  doubts: readonly OpenDoubt[],
): UnderstoodList => {
  const tables = source.tables.flatMap((table, index) => (listOf(source, table, all) === list ? [{ table, index }] : []));
  const isDoubtful = (index: number, column: string): boolean =>
    doubts.some(({ places }) => places.some((place) => place.index === index && place.column === column));
  return {
    name: list.name,
    tables: tables.map(({ table: { table }, index }) => ({ table, evidence: evidenceOfTable(document, index, table) })),
    columns: list.columns.map(({ name, values }) => {
      const uses = tables.flatMap(({ table, index }) =>
        Object.entries(table.columns).flatMap(([column, rule]) =>
          columnsOfRule(ruleOf(rule)).includes(name) ? [{ index, column, name: `${table.table}.${column}` }] : [],
        ),
      );
      const targets = new Map(uses.map((use) => [use.name, evidenceOfColumn(document, use.index, use.column)]));
      const isOfRows = tables.some(({ table }) => columnsOfRows(table).includes(name));
      const mark = uses.some(({ index, column }) => isDoubtful(index, column))
        ? 'doubtful'
        : uses.length > 0
          ? 'sure'
          : isOfRows
            ? 'rows'
            : 'unused';
      return { name, values: values.slice(0, 3), mark, targets: [...targets].map(([column, evidence]) => ({ column, evidence })) };
    }),
  };
};

/** What a draft says about the lists. It can have no tables. */
export const understandDraft = (text: string, lists: readonly SeenList[]): Understood => {
  try {
    return understand(text, lists);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const unused = lists.map(({ name, columns }) => ({
      name,
      tables: [],
      columns: columns.map((column) => ({ name: column.name, values: column.values.slice(0, 3), mark: 'unused' as const, targets: [] })),
    }));
    return { name: draftedName, doubts: [], lists: unused, problem: error.message };
  }
};

/** What the text says about the lists. Throws an `OperatorError` if the text is no source file that may come over HTTP. */
export const understand = (text: string, lists: readonly SeenList[]): Understood => {
  const { document, source } = readDraft(text);
  const doubts = doubtsOf(document, source, lists);
  return {
    name: source.name,
    doubts: doubts.map(({ id, place, text, values, choices, input, germanCodes = {} }) => ({
      id,
      place,
      text: text.en,
      values,
      choices: choices.map(({ label }) => label.en),
      input,
      german: { text: text.de, choices: choices.map(({ label }) => label.de), codes: germanCodes },
    })),
    lists: lists.map((list) => understoodList(document, source, list, lists, doubts)),
  };
};
