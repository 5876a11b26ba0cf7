/** A question as `GET /questions` and a `PUT` show it (contract: saved questions). */
import { questionTag } from '../../access/key-questions.ts';
import type { SavedQuestion } from '../../access/questions.ts';
import type { PublicUrl } from '../../http/public-url.ts';
import type { AskableQuestion } from './ask.ts';

export const listedQuestion = (
  { name, title, document, variables, tables, saved_by, added_at }: AskableQuestion & SavedQuestion,
  publicUrl: PublicUrl,
) => ({
  name,
  title,
  endpoint_url: publicUrl.to(`/questions/${name}`),
  variables,
  formats: tables.length === 1 ? ['json', 'csv'] : ['json'],
  document,
  saved_by,
  saved_at: added_at,
  etag: questionTag({ document }),
});
