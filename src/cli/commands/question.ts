/** `estate question …` */
import { readFileSync } from 'node:fs';
import { QuestionStore } from '../../access/questions.ts';
import { catalogue } from '../../catalogue/index.ts';
import { OperatorError } from '../../errors.ts';
import { checkQuestion } from '../../graphql/questions/check.ts';
import { documentTitle } from '../../graphql/questions/document.ts';
import { PublicUrl } from '../../http/public-url.ts';
import { columns, report, withSession } from '../session.ts';

interface Options {
  readonly json?: boolean;
  readonly customer?: string;
}

const readDocument = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`The file cannot be read: ${(error as Error).message}`);
  }
};

export const addQuestion = async (name: string, path: string, options: Options): Promise<void> => {
  const document = readDocument(path);
  const outcomes = checkQuestion(catalogue, document);
  await withSession(async ({ config, database }) => {
    const { customer } = options;
    const path = new PublicUrl(config.PUBLIC_URL).to(`/questions/${name}`);
    await new QuestionStore(database).add({ name, document, outcomes }, customer);
    report({ name, customer: customer ?? null, endpoint_url: path }, options, () => `Saved question ${name}: GET ${path}`);
  });
};

export const listQuestionsCommand = (options: Options) =>
  withSession(async ({ database }) => {
    const listed = await new QuestionStore(database).list(options.customer);
    const questions = listed.map(({ outcomes: _, ...question }) => question);
    const rows = questions.map(({ name, customer, added_at, saved_by, document }) => [
      name,
      customer ?? 'all',
      added_at.toISOString(),
      saved_by ?? 'operator',
      documentTitle(document),
    ]);
    report(questions, options, () => columns(['question', 'customer', 'added', 'saved by', 'title'], rows));
  });

export const removeQuestion = (name: string, options: Options) =>
  withSession(async ({ database }) => {
    await new QuestionStore(database).remove(name, options.customer);
    report({ name, customer: options.customer ?? null, removed: true }, options, () => `Removed question ${name}.`);
  });
