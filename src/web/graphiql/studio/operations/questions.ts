/** The saved questions of the key as choices. */
import { savedQuestions } from '../../../browser/questions/saved-questions.ts';
import type { Choice } from './chooser.tsx';

export const questionChoices = async (): Promise<readonly Choice[]> =>
  (await savedQuestions()).map(({ name, title, document }) => ({
    title: title || name,
    note: name,
    text: document,
    operation: { query: document, variables: '', operationName: undefined },
  }));
