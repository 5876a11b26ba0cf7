/** Saves questions of the key's customer from a page (contract: questions of keys). */
import { apiKey } from './key.ts';
import { servicePath } from './service.ts';

export interface QuestionToSave {
  readonly name: string;
  readonly document: string;
  readonly description: string;
  readonly variables: object;
}

const askRights = async (): Promise<boolean> => {
  if (!apiKey) return false;
  try {
    const response = await fetch(servicePath('/me'), { headers: { Accept: 'application/json', 'X-API-Key': apiKey } });
    const { groups = [] }: { readonly groups?: readonly string[] } = response.ok ? await response.json() : {};
    return groups.includes('graphql') && groups.includes('questions');
  } catch {
    return false;
  }
};

let asked: Promise<boolean> | undefined;

/** Whether the key has the right. False if the service does not answer. A page sends one request, which counts for the quota. */
export const maySaveQuestions = (): Promise<boolean> => {
  asked ??= askRights();
  return asked;
};

/** The tag of the question; undefined if there is none that the key may ask. */
const tagOf = async (name: string): Promise<string | undefined> => {
  const response = await fetch(servicePath('/questions'), { headers: { Accept: 'application/json', 'X-API-Key': apiKey } });
  const listed: readonly { readonly name: string; readonly etag: string }[] = response.ok ? await response.json() : [];
  return listed.find((question) => question.name === name)?.etag;
};

/** `tag` of a question that exists: it is replaced if it has the tag when it is saved again. */
export type Saved =
  | { readonly is: 'saved' }
  | { readonly is: 'taken'; readonly tag: string }
  | { readonly is: 'refused'; readonly reason: string };

/** Saves a new question, or replaces the one with the tag. */
export const saveQuestion = async ({ name, ...question }: QuestionToSave, tag: string | undefined): Promise<Saved> => {
  try {
    const response = await fetch(servicePath(`/questions/${encodeURIComponent(name)}`), {
      method: 'PUT',
      headers: {
        'Content-Type': 'application/json',
        'X-API-Key': apiKey,
        ...(tag === undefined ? { 'If-None-Match': '*' } : { 'If-Match': tag }),
      },
      body: JSON.stringify(question),
    });
    if (response.ok) return { is: 'saved' };
    const { detail }: { readonly detail: string } = await response.json();
    const current = response.status === 412 ? await tagOf(name) : undefined;
    return current === undefined ? { is: 'refused', reason: detail } : { is: 'taken', tag: current };
  } catch (error) {
    return { is: 'refused', reason: String(error) };
  }
};
