/** A question as `GET /questions` and a `PUT` show it (contract: saved questions). */
import { questionTag } from '../../access/key-questions.ts';
import type { SavedQuestion } from '../../access/questions.ts';
import type { question } from '../../answers/questions.ts';
import type { AnswerBody } from '../../answers/values.ts';
import type { PublicUrl } from '../../http/public-url.ts';
import type { ListedQuestion } from './ask.ts';

export const listedQuestion = (
  { name, title, document, variables, lists, saved_by, added_at }: ListedQuestion & SavedQuestion,
  publicUrl: PublicUrl,
): AnswerBody<typeof question> => ({
  name,
  title,
  endpoint_url: publicUrl.to(`/questions/${name}`),
  variables,
  formats: lists === 1 ? ['json', 'csv'] : ['json'],
  document,
  saved_by,
  saved_at: added_at,
  etag: questionTag({ document }),
});
