/** Selects the format of a response by the client's preferences (contract: CSV; pages in a browser). */
import { parseAccepted } from './compress.ts';

/** Whether the client names a type, directly or by `text/*`, and prefers it to JSON. A client that accepts anything gets JSON. */
const prefers = (type: string, header: string | undefined): boolean => {
  if (!header) return false;
  const accepted = parseAccepted(header);
  const weight = (name: string) => accepted.get(name) ?? accepted.get(name.replace(/\/.*/, '/*')) ?? accepted.get('*/*') ?? 0;
  return weight(type) > weight('application/json');
};

export const prefersCsv = (header: string | undefined): boolean => prefers('text/csv', header);

export const prefersHtml = (header: string | undefined): boolean => prefers('text/html', header);
