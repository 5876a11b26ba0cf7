/** The answers of the service about itself, as pages read them: the objects of `answers/` after JSON. */
import type { me } from '../../answers/me.ts';
import type { question } from '../../answers/questions.ts';
import type { AnswerBody } from '../../answers/values.ts';

/** A value as JSON holds it. */
type Sent<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Sent<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Sent<T[Name]> }
      : T;

/** The answer of `/me`. */
export type OwnRights = Sent<AnswerBody<typeof me>>;
export type OwnTable = OwnRights['tables'][number];
/** A saved question in the answer of `/questions`. */
export type QuestionAnswer = Sent<AnswerBody<typeof question>>;
