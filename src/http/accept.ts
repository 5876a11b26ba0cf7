/** Which of the forms that an answer has the client likes best (contract: CSV). */
import { parseAccepted } from './compress.ts';

/** Whether CSV is asked for: it is named, alone or by `text/*`, and liked better than JSON. Whoever takes anything gets JSON. */
export const prefersCsv = (header: string | undefined): boolean => {
  if (!header) return false;
  const accepted = parseAccepted(header);
  const weight = (type: string) => accepted.get(type) ?? accepted.get(type.replace(/\/.*/, '/*')) ?? accepted.get('*/*') ?? 0;
  return weight('text/csv') > weight('application/json');
};
