/** The questions of analysts as GraphQL documents, written from their addresses. */
import { writtenDocument } from '../../graphql/print/document.ts';
import { camelCase, upperFirst } from '../../graphql/schema/names.ts';
import { cataloguePlan } from '../../prints/catalogue-plan.ts';
import { exampleAddress, type Question, type QuestionName, questionEntries } from './questions.ts';

/** The title as one line: the question, and the German term. */
export const titleOf = ({ en, de }: Question): string => `${en} (${de})`;

/** The document of a question. Its operation has the name of the question: `rent-roll` is `RentRoll`. */
const documentOf = (name: string, question: Question): string => {
  const { named, table, relationsOf } = cataloguePlan(exampleAddress(question));
  const { document } = writtenDocument(named, table, relationsOf, upperFirst(camelCase(name.replaceAll('-', '_'))));
  const comments = [titleOf(question), question.note];
  return `${comments.map((line) => `# ${line}\n`).join('')}${document}`;
};

export const questionDocuments = Object.fromEntries(
  questionEntries.map(([name, question]) => [name, documentOf(name, question)]),
) as Readonly<Record<QuestionName, string>>;
