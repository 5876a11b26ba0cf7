/** Checks the document of a question before it is saved, by the operator or with a key. */
import { type DocumentNode, Kind, validate } from 'graphql';
import { type QuestionOutcomes, questionLimits } from '../../access/questions.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { OperatorError } from '../../errors.ts';
import { parseWithin } from '../document/parse.ts';
import { createSchema } from '../schema/schema.ts';
import { formatName, variablesOf } from './document.ts';
import { outcomeOf, schemaDigest } from './outcomes.ts';

/** Why a document cannot be a question, whatever its schema is; undefined if it can. */
export const questionProblem = (document: DocumentNode): string | undefined => {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operations.length !== 1 || operations[0]?.operation !== 'query')
    return 'A question is a document with exactly one operation, a query.';
  const names = variablesOf(document).map(({ variable }) => variable.name.value);
  const { variables, nameLength } = questionLimits;
  if (names.length > variables) return `A question has at most ${variables} variables.`;
  if (names.some((name) => name.length > nameLength)) return `The name of a variable has at most ${nameLength} characters.`;
  return names.includes(formatName)
    ? `A variable cannot be called '${formatName}', because this is the parameter for the form of the answer.`
    : undefined;
};

/** Returns the outcome of the check. Throws an `OperatorError` unless the document is one query that the highest tier can ask. */
export const checkQuestion = (catalogue: Catalogue, text: string): QuestionOutcomes => {
  const { documentBytes } = questionLimits;
  if (Buffer.byteLength(text) > documentBytes) throw new OperatorError(`A document has at most ${documentBytes / 1_024} KB.`);
  let document: DocumentNode;
  try {
    document = parseWithin(text);
  } catch (error) {
    throw new OperatorError(`The file is no GraphQL document: ${(error as Error).message}`);
  }
  const problem = questionProblem(document);
  if (problem) throw new OperatorError(problem);
  const schema = createSchema(catalogue, 'enterprise', undefined);
  const [error] = validate(schema, document);
  if (error) throw new OperatorError(`The document is not valid: ${error.message}`);
  return { [schemaDigest(schema)]: outcomeOf(schema, document) };
};
