/** What the comments of an example say. The service and the script of the page use it. */
import { type ViewName, viewNames } from './view-names.ts';

/** The question that an example answers: the comment in its first line. */
export const questionInText = (query: string): string => query.slice(0, query.indexOf('\n')).replace(/^#\s*/, '');

/** The view that an example names, by default the table. Undefined if the document is not among the examples. */
export const viewAmong = (examples: readonly string[], query: string): ViewName | undefined => {
  if (!examples.includes(query)) return undefined;
  const [, named] = /^# View: (\w+)$/m.exec(query) ?? [];
  return viewNames.find((name) => name === named) ?? 'Table';
};
