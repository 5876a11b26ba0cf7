/** The tool that answers saved and shipped questions (contract: tools for agents). */
import { ApiError } from '../errors.ts';
import { validationMessage, validationTexts } from '../plan/validation-errors.ts';
import { checkNames, type ToolArguments } from './arguments.ts';
import { dataResult, maxBytes } from './results.ts';
import type { RowsResult } from './rows.ts';
import type { AgentView } from './view.ts';

const refuse = (name: string, text: string): ApiError => new ApiError('invalidParameter', validationMessage(name, text));

/** Throws 422 for an unknown variable, because an answer without it would be misleading. Null is no value. */
const variablesIn = (given: unknown, known: readonly { readonly name: string }[]): Readonly<Record<string, unknown>> => {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object' || Array.isArray(given)) throw refuse('variables', 'Input should be an object of variables and values');
  const entries = Object.entries(given).filter(([, value]) => value !== null);
  checkNames(
    Object.fromEntries(entries),
    known.map(({ name }) => name),
  );
  return Object.fromEntries(entries);
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
  return { result: dataResult(`${question.title || question.name}`, json), count: rows };
};
