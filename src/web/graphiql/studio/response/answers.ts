/**
 * The original texts of responses. GraphiQL shows a formatted copy, in which numbers have lost digits. This file finds the original text of a
 * shown response.
 */

import { isObject, type Json, parseExact } from '../../../browser/exact.ts';

/** About as many responses as tabs. */
const most = 10;
const kept: { readonly shown: string; readonly sent: string }[] = [];

/** A response that is not JSON, for example of a proxy, is not stored. */
export const keepAnswer = (sent: string): void => {
  try {
    kept.unshift({ shown: JSON.stringify(JSON.parse(sent), null, 2), sent });
    kept.splice(most);
  } catch {}
};

/** The messages of the errors in the shown response. */
export const errorsIn = (shown: string): readonly string[] => {
  try {
    const { errors = [] }: { readonly errors?: readonly { readonly message?: string }[] } = JSON.parse(shown);
    return errors.map(({ message = 'The service did not answer.' }) => message);
  } catch {
    return [];
  }
};

/** The `data` of the shown response, with its digits; undefined if it is not JSON with `data`. */
export const dataOf = (shown: string): Json | undefined => {
  try {
    const answer = parseExact(kept.find((each) => each.shown === shown)?.sent ?? shown);
    return isObject(answer) ? answer.data : undefined;
  } catch {
    return undefined;
  }
};
