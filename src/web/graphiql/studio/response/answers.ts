/**
 * The original texts of responses, and the operations that they answer. GraphiQL shows a formatted copy, in which numbers have lost digits.
 * This file finds the original text of a shown response.
 */

import { isObject, type Json, parseExact } from '../../../browser/exact.ts';
import type { Operation } from '../operations/operation.ts';
import { type FieldNames, fieldNamesOf, noFieldNames } from './field-names.ts';

/** About as many responses as tabs. */
const most = 10;
const kept: { readonly shown: string; readonly sent: string; readonly fieldNames: FieldNames }[] = [];

/** A response that is not JSON, for example of a proxy, is not stored. */
export const keepAnswer = (operation: Operation, sent: string): void => {
  try {
    kept.unshift({ shown: JSON.stringify(JSON.parse(sent), null, 2), sent, fieldNames: fieldNamesOf(operation) });
    kept.splice(most);
  } catch {}
};

export interface Answer {
  /** The `data` with its digits. */
  readonly data: Json;
  readonly fieldNames: FieldNames;
}

/** The messages of the errors in the shown response. */
export const errorsIn = (shown: string): readonly string[] => {
  try {
    const { errors = [] }: { readonly errors?: readonly { readonly message?: string }[] } = JSON.parse(shown);
    return errors.map(({ message = 'The service did not answer.' }) => message);
  } catch {
    return [];
  }
};

/** The answer of the shown response; undefined if it is not JSON with `data`. */
export const answerOf = (shown: string): Answer | undefined => {
  try {
    const found = kept.find((each) => each.shown === shown);
    const answer = parseExact(found?.sent ?? shown);
    return isObject(answer) && answer.data !== undefined ? { data: answer.data, fieldNames: found?.fieldNames ?? noFieldNames } : undefined;
  } catch {
    return undefined;
  }
};
