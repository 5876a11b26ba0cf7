/**
 * The original texts of responses. GraphiQL shows a formatted copy, in which numbers have lost digits. This file finds the original text of
 * a shown response.
 */
import { isObject, type Json, parseExact } from './exact.ts';

/** Answers of as many tabs, about. */
const most = 10;
const kept: { readonly shown: string; readonly sent: string }[] = [];

/** An answer that is no JSON, of something between the service and the browser, is not kept. */
export const keepAnswer = (sent: string): void => {
  try {
    kept.unshift({ shown: JSON.stringify(JSON.parse(sent), null, 2), sent });
    kept.splice(most);
  } catch {}
};

/** The `data` of what GraphiQL shows, to the digit; undefined where that is no answer. */
export const dataOf = (shown: string): Json | undefined => {
  try {
    const answer = parseExact(kept.find((each) => each.shown === shown)?.sent ?? shown);
    return isObject(answer) ? answer.data : undefined;
  } catch {
    return undefined;
  }
};
