/** Answers to the doubts of a source: changes of its text, in which comments survive. The text is the only truth. */
import { type Document, isCollection, isMap, isScalar, isSeq, type Node, visit } from 'yaml';
import type { RawTableName } from '../../catalogue/raw/index.ts';
import { OperatorError } from '../../errors.ts';
import { shown } from '../../sync/files/rejections.ts';
import { rawTableOf } from '../keys/key-type.ts';
import { parseSource, refuseReach, type Source, yamlDocument } from '../source-file.ts';
import { catalogueTarget } from '../target-table.ts';
import { nameColumns } from './changed-columns.ts';
import type { Edit, OpenDoubt, SeenList } from './doubt.ts';
import { doubtsOf } from './doubts.ts';
import { factsOfColumn } from './words/fit.ts';

/** What a person says: one of the choices of a doubt, or what its input takes. */
export interface Answer {
  readonly doubt: string;
  readonly choice?: string;
  readonly constant?: string;
  readonly column?: string;
  /** A code for each value without one, in their order. */
  readonly codes?: readonly string[];
}

/** The name of the text in messages. */
export const draftName = 'the source file';

/** Gives each table the comment above it. The parser gives it to the columns of the table before, because they end there. */
const placeComments = (document: Document): void => {
  const tables = document.get('tables', true);
  if (!isSeq(tables)) return;
  for (const [index, item] of tables.items.entries()) {
    const columns = document.getIn(['tables', index - 1, 'columns'], true);
    if (index === 0 || !isMap(item) || !isMap(columns) || !columns.comment) continue;
    const lines = columns.comment.split('\n');
    const at = lines.findLastIndex((line) => line.includes(` → ${String(item.get('table'))}: `));
    if (at < 0) continue;
    columns.comment = lines.slice(0, at).join('\n') || null;
    item.commentBefore = [...lines.slice(at), ...(item.commentBefore ? [item.commentBefore] : [])].join('\n');
  }
};

/** Reads the text of a source that came over HTTP. */
export const readDraft = (text: string): { readonly document: Document; readonly source: Source } => {
  const source = parseSource(text, draftName);
  refuseReach(source, draftName);
  const document = yamlDocument(text, draftName);
  placeComments(document);
  return { document, source };
};

/** How a constant of this column is written. */
const constantOf = (table: string, column: string, text: string): string | number | boolean => {
  const type = catalogueTarget(table)?.columns.get(column)?.type ?? 'text';
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return /^(?:numeric|integer|bigint|smallint)/.test(type) && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : text;
};

/** The rule of a column that a person has chosen. */
const columnRule = ({ tables }: Source, table: string, target: string, column: string): unknown => {
  const references = rawTableOf(table) && factsOfColumn(table as RawTableName, target).references?.table;
  if (!references) return column;
  const isFilled = tables.some((one) => one.table === references);
  return { from: column, references, ...(!isFilled && { unresolved: 'assign' }) };
};

const editsOf = (source: Source, doubt: OpenDoubt, { choice, constant = '', column = '', codes = [] }: Answer): readonly Edit[] => {
  const { choices, input, places } = doubt;
  if (choice !== undefined) {
    const chosen = choices.find(({ label }) => label.en === choice);
    if (!chosen) throw new OperatorError('There is no such answer any more. Look at the page again.');
    return chosen.edits;
  }
  const set = (ruleFor: (table: string, target: string) => unknown): Edit[] =>
    places.flatMap(({ index, column: target }) =>
      target === undefined ? [] : [{ at: ['tables', index, 'columns', target], value: ruleFor(source.tables[index]!.table, target) }],
    );
  if (input.columns && column !== '') {
    if (!input.columns.includes(column)) throw new OperatorError(`The list has no column '${shown(column)}'.`);
    return doubt.columnEdits?.(column) ?? set((table, target) => columnRule(source, table, target, column));
  }
  if (input.constant && constant !== '') {
    const { codes: known } = input.constant;
    if (known.length > 0 && !known.includes(constant)) throw new OperatorError(`'${shown(constant)}' is none of ${known.join(', ')}.`);
    return set((table, target) => ({ constant: constantOf(table, target, constant) }));
  }
  const { values: wanted } = input;
  if (wanted && codes.some((code) => code !== ''))
    return places.flatMap(({ index, column: target }) =>
      wanted.values.flatMap((value, at): Edit[] => {
        const code = codes[at] ?? '';
        if (code === '' || target === undefined) return [];
        if (!wanted.codes.includes(code)) throw new OperatorError(`'${shown(code)}' is none of ${wanted.codes.join(', ')}.`);
        return [{ at: ['tables', index, 'columns', target, 'codes', value], value: code }];
      }),
    );
  throw new OperatorError('Choose an answer, or state a value.');
};

const applyEdit = (document: Document, { at, value }: Edit): void => {
  if (value === undefined) {
    document.deleteIn(at);
    return;
  }
  const above = at.slice(0, -1);
  const rule = document.getIn(above, true) as Node | undefined;
  // The column of a list alone is a rule with `from`.
  if (isScalar(rule)) {
    const whole = document.createNode({ from: rule.value }, { flow: true });
    whole.comment = rule.comment ?? null;
    document.setIn(above, whole);
  }
  const node = document.createNode(value, { flow: true });
  const before = document.getIn(at, true);
  if (isScalar(before)) node.comment = before.comment ?? null;
  document.setIn(at, node);
};

/** Comments that ask for what is answered. */
const asks = (doubt: OpenDoubt, line: string): boolean => {
  if (/^ (?:A question is|\d+ questions are) open\./.test(line)) return true;
  const [column] = doubt.places.flatMap((place) => place.column ?? []);
  if (column === undefined) return false;
  return doubt.id.startsWith('missing/') ? line.startsWith(` needs a value: ${column} (`) : line.startsWith(` unknown codes of ${column},`);
};

const without = (comment: string | null | undefined, doubt: OpenDoubt): string | undefined => {
  const lines = comment?.split('\n').filter((line) => !asks(doubt, line)) ?? [];
  return lines.length > 0 ? lines.join('\n') : undefined;
};

/** Removes the comments that ask for what is answered. */
const removeRequests = (document: Document, doubt: OpenDoubt): void => {
  document.commentBefore = without(document.commentBefore, doubt) ?? null;
  visit(document, {
    Node: (_, node) => {
      if (node.commentBefore) node.commentBefore = without(node.commentBefore, doubt) ?? null;
      if (node.comment) node.comment = without(node.comment, doubt) ?? null;
    },
  });
  for (const { index, column } of doubt.places) {
    const rule = document.getIn(['tables', index, 'columns', column], true);
    if ((isMap(rule) || isScalar(rule)) && !(isCollection(rule) && rule.has('question')))
      rule.comment = rule.comment?.replace(/^ QUESTION; /, ' ') ?? null;
  }
};

/** The text with an answer. Throws an `OperatorError` if nobody asks any more, or if the answer is none. */
export const answered = (text: string, lists: readonly SeenList[], answer: Answer): string => {
  const { document, source } = readDraft(text);
  const doubt = doubtsOf(document, source, lists).find(({ id }) => id === answer.doubt);
  if (!doubt) throw new OperatorError('The doubt is not open any more. Look at the page again.');
  for (const edit of editsOf(source, doubt, answer)) applyEdit(document, edit);
  removeRequests(document, doubt);
  return document.toString({ lineWidth: 0 });
};

/** A drafted text that names all columns of the lists. A text without a table stays as it is. */
export const withKnownColumns = (text: string, lists: readonly SeenList[]): string => {
  try {
    const { document, source } = readDraft(text);
    nameColumns(document, source, lists);
    return document.toString({ lineWidth: 0 });
  } catch (error) {
    if (error instanceof OperatorError) return text;
    throw error;
  }
};

/** The text with another name of the source. */
export const renamed = (text: string, name: string): string => {
  const { document } = readDraft(text);
  document.set('name', name);
  const changed = document.toString({ lineWidth: 0 });
  readDraft(changed);
  return changed;
};
