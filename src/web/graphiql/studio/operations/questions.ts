/** The saved questions of the key, from the service. */
import { apiKey } from '../../../browser/key.ts';
import { servicePath } from '../../../browser/service.ts';
import type { Choice } from './chooser.tsx';

interface ListedQuestion {
  readonly name: string;
  readonly title: string;
  readonly document: string;
}

/** No choices if the service refuses the key or does not answer. */
export const questionChoices = async (): Promise<readonly Choice[]> => {
  if (!apiKey) return [];
  try {
    const response = await fetch(servicePath('/questions'), { headers: { Accept: 'application/json', 'X-API-Key': apiKey } });
    if (!response.ok) return [];
    const questions: readonly ListedQuestion[] = await response.json();
    return questions.map(({ name, title, document }) => ({
      title: title || name,
      note: name,
      text: document,
      operation: { query: document, variables: '', operationName: undefined },
    }));
  } catch {
    return [];
  }
};
