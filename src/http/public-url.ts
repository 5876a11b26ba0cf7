/**
 * The public URL: the address under which clients reach the service (contract: public URL). It may have a path prefix, if a proxy serves other
 * paths of the host. Inside the service, all paths are without the prefix.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OperatorError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    publicUrl: PublicUrl;
  }
}

/** It appears in shell commands of pages, so it has no other characters. */
const plainHost = /^[\w.:[\]-]+$/;
/** It appears in attributes, headers and cookies, so it has no other characters. */
const plainPath = /^(?:\/[\w.~-]+)*\/?$/;

/** The address without a slash at its end. Undefined if it is no http or https address, or has more than a host, a port and a plain path. */
export const parsePublicUrl = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) return undefined;
  if (url.username !== '' || url.password !== '' || !plainHost.test(url.host) || !plainPath.test(url.pathname)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
};

export class PublicUrl {
  readonly #address: string;
  /** The path before all paths of the service, such as `/estate`; empty without one. */
  readonly prefix: string;

  /** `address` is a result of `parsePublicUrl`, or empty if the Host header of each request names the service. */
  constructor(address = '') {
    this.#address = address;
    this.prefix = address === '' ? '' : new URL(address).pathname.replace(/\/$/, '');
  }

  /** The address of the service as the client of the request sees it, without a slash at its end. */
  of({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string {
    return this.#address || `${protocol}://${plainHost.test(host ?? '') ? host : 'localhost'}`;
  }

  /** A path of the service as clients see it. Every address in an answer is made by this function, or begins with that of the service. */
  to(path: string): string {
    return this.prefix + path;
  }

  /** The description of the interface names the service by this address. */
  get server(): string {
    return this.#address || '/';
  }

  /** A request target without the prefix. A proxy may have removed it already. */
  withoutPrefix(target: string): string {
    if (this.prefix === '' || !target.startsWith(this.prefix)) return target;
    const rest = target.slice(this.prefix.length);
    if (rest.startsWith('/')) return rest;
    return rest === '' || rest.startsWith('?') ? `/${rest}` : target;
  }
}

const firstOf = (path: string): string => path.split('/')[1] ?? '';

/**
 * Refuses a prefix that begins like a path of the service. Behind a proxy that removes the prefix, such a path would lose its beginning. Call it
 * before the routes are added.
 */
export const refuseOwnPaths = (app: FastifyInstance, { prefix }: PublicUrl, categories: readonly string[]): void => {
  if (prefix === '') return;
  const own = new Set(categories);
  app.addHook('onRoute', ({ url }) => void own.add(firstOf(url)));
  app.addHook('onReady', async () => {
    if (own.has(firstOf(prefix)))
      throw new OperatorError(`PUBLIC_URL must not begin its path with /${firstOf(prefix)}, which is a path of the service`);
  });
};
