/**
 * The address and the Power Query text of a saved question, for programs that ask for the key themselves (contract: saved questions; basic
 * authentication). The service and the script of the documentation use it.
 */
import { csvQuery } from '../../prints/power-query.ts';

export interface QuestionLink {
  /** The address of the service, such as `https://estate.example.com`. */
  readonly origin: string;
  readonly name: string;
  /** The names of the variables. They have no values in the result, and a variable without a value keeps its default. */
  readonly variables: readonly string[];
}

/** The address of the answer as CSV. */
export const questionAddress = ({ origin, name, variables }: QuestionLink): string =>
  `${origin}/questions/${name}?${variables.map((variable) => `${variable}=&`).join('')}format=csv`;

/** Power Query text that reads the answer. */
export const questionQuery = ({ origin, name, variables }: QuestionLink): string =>
  csvQuery({ origin, path: `questions/${name}`, parameters: variables.map((variable) => [variable, '']) });
