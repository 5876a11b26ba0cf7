/** The saved questions of the key's customer: the list, and how a page saves one (contract: saved questions; questions of keys). */
import type { OwnRights, QuestionAnswer } from '../answers.ts';
import { request } from '../client.ts';
import { apiKey } from '../key.ts';

const read = async (): Promise<readonly QuestionAnswer[]> => {
  if (!apiKey) return [];
  try {
    const response = await request('/questions');
    return response.ok ? await response.json() : [];
  } catch {
    return [];
  }
};

let listed: Promise<readonly QuestionAnswer[]> | undefined;

/** None if the service refuses the key or does not answer. A page sends one request, and another one after it has saved a question. */
export const savedQuestions = (): Promise<readonly QuestionAnswer[]> => {
  listed ??= read();
  return listed;
};

/** The request of the first list of a document in REST. Undefined if it has none. */
export const restRequestOf = async (document: string): Promise<string | undefined> => {
  try {
    const response = await request('/graphql/rest', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: document }),
    });
    const { data }: { data?: { requests: readonly { readonly path?: string | null }[] } } = await response.json();
    return data?.requests.find(({ path }) => path)?.path ?? undefined;
  } catch {
    return undefined;
  }
};

export interface QuestionToSave {
  readonly name: string;
  readonly document: string;
  readonly description: string;
  readonly variables: object;
}

const askRights = async (): Promise<boolean> => {
  if (!apiKey) return false;
  try {
    const response = await request('/me');
    const { groups = [] }: Partial<OwnRights> = response.ok ? await response.json() : {};
    return groups.includes('graphql') && groups.includes('questions');
  } catch {
    return false;
  }
};

let rights: Promise<boolean> | undefined;

/** Whether the key has the right. False if the service does not answer. A page sends one request, which counts for the quota. */
export const maySaveQuestions = (): Promise<boolean> => {
  rights ??= askRights();
  return rights;
};

/** The tag of the question; undefined if there is none that the key may ask. */
const tagOf = async (name: string): Promise<string | undefined> => (await read()).find((question) => question.name === name)?.etag;

/** `tag` of a question that exists: it is replaced if it has the tag when it is saved again. */
export type Saved =
  | { readonly is: 'saved' }
  | { readonly is: 'taken'; readonly tag: string }
  | { readonly is: 'refused'; readonly reason: string };

/** Saves a new question, or replaces the one with the tag. */
export const saveQuestion = async ({ name, ...question }: QuestionToSave, tag: string | undefined): Promise<Saved> => {
  try {
    const response = await request(`/questions/${encodeURIComponent(name)}`, {
      method: 'PUT',
      headers: {
        'Content-Type': 'application/json',
        ...(tag === undefined ? { 'If-None-Match': '*' } : { 'If-Match': tag }),
      },
      body: JSON.stringify(question),
    });
    if (response.ok) {
      listed = undefined;
      return { is: 'saved' };
    }
    const { detail }: { readonly detail: string } = await response.json();
    const current = response.status === 412 ? await tagOf(name) : undefined;
    return current === undefined ? { is: 'refused', reason: detail } : { is: 'taken', tag: current };
  } catch (error) {
    return { is: 'refused', reason: String(error) };
  }
};
