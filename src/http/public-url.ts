/**
 * The public URL: the address under which clients reach the service (contract: public URL). It may have a path prefix, if a proxy serves other
 * paths of the host. Inside the service, all paths are without the prefix. No address comes from a request, because any client can write its
 * headers.
 */
import type { FastifyInstance } from 'fastify';
import { OperatorError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    publicUrl: PublicUrl;
  }
}

/** The host appears in shell commands of pages, so it has no other characters. */
const plainHost = /^[\w.:[\]-]+$/;
/** The path prefix appears in attributes, headers and cookies, so it has no other characters. */
const plainPath = /^(?:\/[\w.~-]+)*\/?$/;

/** The address without a slash at its end. Undefined if it is no http or https address, or has more than a host, a port and a plain path. */
export const parsePublicUrl = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) return undefined;
  if (url.username !== '' || url.password !== '' || !plainHost.test(url.host) || !plainPath.test(url.pathname)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
};

export class PublicUrl {
  readonly #setting: string;
  #port: number;
  /** The path before all paths of the service, such as `/estate`; empty without one. */
  readonly prefix: string;

  /** `setting` is a result of `parsePublicUrl`, or empty. Then the address is this machine with the port. */
  constructor(setting = '', port = 0) {
    this.#setting = setting;
    this.#port = port;
    this.prefix = setting === '' ? '' : new URL(setting).pathname.replace(/\/$/, '');
  }

  /** The port that the system gave to the service. */
  listensAt(port: number): void {
    this.#port = port;
  }

  /** The address of the service, without a slash at its end. */
  get address(): string {
    return this.#setting || `http://localhost:${this.#port}`;
  }

  /** A path of the service as clients see it. Every address in an answer is made by this function, or begins with that of the service. */
  to(path: string): string {
    return this.prefix + path;
  }

  /** The description of the interface names the service by this address. Without the setting, it is relative to that of the description. */
  get server(): string {
    return this.#setting || '/';
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
