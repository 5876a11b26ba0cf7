/** The documents of the examples, which the service writes. Without an answer there are none. */
import { servicePath } from '../../browser/service.ts';
import { viewAmong } from '../example-text.ts';
import type { ViewName } from '../view-names.ts';

const { dataset } = document.getElementById('root') as HTMLElement;

export const exampleDocuments: readonly string[] = await fetch(servicePath(dataset.examples as string))
  .then((response) => response.json())
  .catch(() => []);

/** The view of an example. Undefined for any other document. */
export const viewOfExample = (query: string): ViewName | undefined => viewAmong(exampleDocuments, query);
