/** Requests of pages to the service with the key of the tab. */
import { apiKey } from './key.ts';
import { servicePath } from './service.ts';

/** The headers of a request with a key. Requests of pages count apart from those of programs (contract: requests of pages). */
const keyHeaders = (key: string) => ({ 'X-API-Key': key, 'X-Page-Request': '1' });

/** Sends a request. `key` replaces the key that the page was loaded with; no key is sent if it is empty. */
export const request = (path: string, { key = apiKey, ...init }: RequestInit & { readonly key?: string } = {}): Promise<Response> =>
  fetch(servicePath(path), { ...init, headers: { Accept: 'application/json', ...(key && keyHeaders(key)), ...init.headers } });
