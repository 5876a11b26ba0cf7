/** Types of responses, and their selection by the client's preferences (contract: CSV; pages in a browser). */

/** The `Content-Type` of data in each format. */
export const contentTypes = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
} as const;

/** The client's preference for each type in an `Accept` header, from 0 to 1. Parameters such as `header=present` are ignored. */
const parseAccept = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Math.min(1, Number(weight) || 0)] as const;
    }),
  );

/** Whether the client names a type, directly or by `text/*`, and prefers it to JSON. A client that accepts anything gets JSON. */
const prefers = (type: string, header: string | undefined): boolean => {
  if (!header) return false;
  const accepted = parseAccept(header);
  const weight = (name: string) => accepted.get(name) ?? accepted.get(name.replace(/\/.*/, '/*')) ?? accepted.get('*/*') ?? 0;
  return weight(type) > weight('application/json');
};

export const prefersCsv = (header: string | undefined): boolean => prefers('text/csv', header);

export const prefersHtml = (header: string | undefined): boolean => prefers('text/html', header);
