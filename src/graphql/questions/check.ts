/** Checks the document of a question before it is saved, by the operator or with a key. */
import { type DocumentNode, Kind, validate } from 'graphql';
import type { Catalogue } from '../../catalogue/index.ts';
import { OperatorError } from '../../errors.ts';
import { parseWithin } from '../document/parse.ts';
import { createSchema } from '../schema/schema.ts';
import { formatName, variablesOf } from './document.ts';

/** Why a document cannot be a question, whatever its schema is; undefined if it can. */
export const questionProblem = (document: DocumentNode): string | undefined => {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operations.length !== 1 || operations[0]?.operation !== 'query')
    return 'A question is a document with exactly one operation, a query.';
  return variablesOf(document).some(({ variable }) => variable.name.value === formatName)
    ? `A variable cannot be called '${formatName}', because this is the parameter for the form of the answer.`
    : undefined;
};

/** Throws an `OperatorError` unless the document is one query that the highest tier can ask. */
export const checkQuestion = (catalogue: Catalogue, text: string): void => {
  let document: DocumentNode;
  try {
    document = parseWithin(text);
  } catch (error) {
    throw new OperatorError(`The file is no GraphQL document: ${(error as Error).message}`);
  }
  const problem = questionProblem(document);
  if (problem) throw new OperatorError(problem);
  const [error] = validate(createSchema(catalogue, 'enterprise', undefined), document);
  if (error) throw new OperatorError(`The document is not valid: ${error.message}`);
};
