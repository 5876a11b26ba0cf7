/** The tools that list and answer saved and shipped questions (contract: tools for agents). */
import { ApiError } from '../errors.ts';
import { clipped, firstNames, validationMessage, validationTexts } from '../plan/validation-errors.ts';
import { checkNames, type ToolArguments } from './arguments.ts';
import { dataResult, maxBytes, type ToolResult } from './results.ts';
import type { RowsResult } from './rows.ts';
import type { AgentView } from './view.ts';

const refuse = (name: string, text: string): ApiError => new ApiError('invalidParameter', validationMessage(name, text));

/** Throws 422 for an unknown variable, because an answer without it would be misleading. Null is no value. */
const variablesIn = (given: unknown, known: readonly { readonly name: string }[]): Readonly<Record<string, unknown>> => {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object' || Array.isArray(given)) throw refuse('variables', 'Input should be an object of variables and values');
  const entries = Object.entries(given).filter(([, value]) => value !== null);
  const unknown = entries.flatMap(([name]) => (known.some((each) => each.name === name) ? [] : [name]));
  // A key wrote the names of variables, so a message does not list them.
  if (unknown.length > 0) throw refuse('variables', `${firstNames(unknown)} unknown; list_questions has the variables`);
  return Object.fromEntries(entries);
};

/** The longest title in a list, in characters. */
const longestTitle = 200;

/** `list_questions`: the questions that the key may ask. A type with ! needs a value. */
export const listQuestions = async (view: AgentView, given: ToolArguments): Promise<ToolResult> => {
  checkNames(given, []);
  const all = view.questions.map(({ name, title, variables }) =>
    JSON.stringify({
      question: name,
      title: clipped(title, longestTitle),
      variables: Object.fromEntries(variables.map((variable) => [clipped(variable.name, longestTitle), variable.type])),
    }),
  );
  let length = 0;
  const shown = all.filter((each) => {
    length += Buffer.byteLength(each) + 1;
    return length <= maxBytes;
  });
  return dataResult(`${shown.length} of ${all.length} questions.`, `{"questions":[${shown.join()}]}`);
};

/** Answers a question. A longer answer than a result may have is a 422, because a part of it would be wrong. */
export const runQuestion = async (view: AgentView, given: ToolArguments): Promise<RowsResult> => {
  checkNames(given, ['question', 'variables']);
  const { question: name, variables } = given;
  const question = view.questions.find((each) => each.name === name);
  if (!question) throw name === undefined ? refuse('question', validationTexts.missing) : new ApiError('noQuestion');
  const { json, rows } = await view.ask(question, variablesIn(variables, question.variables));
  const length = Buffer.byteLength(json);
  if (length > maxBytes)
    throw refuse(
      'question',
      `The answer has ${Math.ceil(length / 1024)} KB, more than ${maxBytes / 1024}: ask a narrower question, or query the table`,
    );
  return { result: dataResult(`The answer to ${question.name}.`, json), count: rows };
};
