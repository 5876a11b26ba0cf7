/**
 * Where the service is, for the scripts of pages. They write paths without the path prefix of the service, and it is added here
 * (contract: public URL).
 */

/** A path of the service as the browser sees it. The prefix is on the root element of each page. */
export const servicePath = (path: string): string => `${document.documentElement.dataset.prefix ?? ''}${path}`;

/** The path of this page, without the prefix. */
export const pagePath = (): string => location.pathname.slice(servicePath('').length);

/** The address of the service, without a slash at its end. */
export const serviceAddress = (): string => `${location.origin}${servicePath('')}`;
