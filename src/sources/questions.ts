/** Doubts of a draft. Where the export has no evidence, the draft asks, and nothing is loaded before the answer. */
import { OperatorError } from '../errors.ts';
import { shown } from '../sync/files/rejections.ts';
import { ruleOf } from './columns/column-value.ts';
import type { TableRule } from './source-file.ts';

/** The open questions of a table of the source, each with its place: `contract_condition.net_amount: …`. */
export const questionsOf = ({ table, question, columns }: Pick<TableRule, 'table' | 'question' | 'columns'>): string[] => [
  ...(question === undefined ? [] : [`${table}: ${question}`]),
  ...Object.entries(columns).flatMap(([name, rule]) => {
    const { question: own } = ruleOf(rule);
    return own === undefined ? [] : [`${table}.${name}: ${own}`];
  }),
];

/** Throws an `OperatorError` if a question is open. */
export const refuseQuestions = (rule: TableRule): void => {
  const open = questionsOf(rule);
  if (open.length > 0)
    throw new OperatorError(
      `${rule.table} has ${open.length === 1 ? 'a question' : `${open.length} questions`}: answer it in the source file, and remove its line.\n${open.map((line) => `  ${shown(line, 600)}`).join('\n')}`,
    );
};
