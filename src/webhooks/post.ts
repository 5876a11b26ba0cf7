/**
 * One attempt to deliver a message: a POST to exactly the addresses that were checked, without redirects. Its result is the status line of the
 * answer, and nothing after it is read (decision 112).
 *
 * Names are resolved by DNS queries of this process. The resolver of the system would occupy a thread that compression needs, too.
 */
import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { OperatorError } from '../errors.ts';
import { isPublicAddress } from './address.ts';
import { maxHead, StatusLine } from './status-line.ts';

/** How long an attempt may take, from the lookup of its name to the status line. */
export const attemptMs = 10_000;
const longestUrl = 2_000;

export interface WebhookReach {
  /** Whether `http` and addresses that are not public are allowed. */
  readonly allowsPrivate: boolean;
  /** The allowed ports; undefined for all. */
  readonly ports?: readonly number[] | undefined;
  /** The proxy that opens the connections. It resolves names, and decides which of their addresses it reaches. */
  readonly proxy?: URL | undefined;
  /** The addresses of a name. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

export interface Attempt {
  readonly isDelivered: boolean;
  /** The status of the answer; undefined without an answer. */
  readonly status?: number | undefined;
  /** Why it failed, for the operator. */
  readonly note?: string;
}

/** This machine under the names that no name server knows (RFC 6761, section 6.3). */
const loopback = ['127.0.0.1', '::1'];

/** The addresses that the host states without a query; undefined for a name. */
const literalsOf = ({ hostname }: URL): readonly string[] | undefined => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare)) return [bare];
  return /(?:^|\.)localhost\.?$/.test(bare) ? loopback : undefined;
};

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

/** The address of an endpoint as a URL. Throws an `OperatorError` if no webhook may lead there. */
export const parseEndpoint = (text: string, { allowsPrivate, ports }: WebhookReach): URL => {
  const url = URL.canParse(text) && text.length <= longestUrl ? new URL(text) : undefined;
  if (!url || !(url.protocol === 'https:' || (allowsPrivate && url.protocol === 'http:')))
    throw new OperatorError(
      `The address of a webhook is an ${allowsPrivate ? 'http:// or ' : ''}https:// URL of at most ${longestUrl} characters.`,
    );
  if (url.username || url.password) throw new OperatorError('The address of a webhook holds no user name and no password.');
  if (!allowsPrivate && literalsOf(url)?.some((address) => !isPublicAddress(address)))
    throw new OperatorError('The address of a webhook is not public. WEBHOOK_ALLOW_PRIVATE=true allows it.');
  if (ports && !ports.includes(portOf(url)))
    throw new OperatorError(`A webhook may not lead to port ${portOf(url)}. WEBHOOK_PORTS allows ${ports.join(', ')}.`);
  url.hash = '';
  return url;
};

const resolveName = async (name: string): Promise<readonly string[]> => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
};

/** Why an attempt failed before an answer, without details of the operator's network. */
class Refusal extends Error {}

/** The addresses to connect to. All must be public, because the connection may go to any of them. */
const checkedAddresses = async (url: URL, { allowsPrivate, resolve = resolveName }: WebhookReach): Promise<readonly string[]> => {
  const addresses = literalsOf(url) ?? (await resolve(url.hostname));
  if (addresses.length === 0) throw new Refusal('the name has no address');
  if (!allowsPrivate && !addresses.every(isPublicAddress)) throw new Refusal('the address is not public');
  return addresses;
};

/** Gives the addresses that were checked. Node connects to the first one that answers. */
const fixedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }));
    if (options.all) callback(null, all);
    else callback(null, all[0]!.address, all[0]!.family);
  };

/** Rejects when the signal aborts, also if the work cannot be stopped. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
};

/** How the request reaches its host: through the proxy, or at an address that was checked. */
const routeOf = async (url: URL, reach: WebhookReach, signal: AbortSignal): Promise<https.RequestOptions> => {
  // The signal ends a connection to a proxy that does not answer.
  if (reach.proxy) return { agent: new HttpsProxyAgent(reach.proxy, { signal } as object) };
  return { agent: false, lookup: fixedLookup(await checkedAddresses(url, reach)) };
};

/** The status of the answer. The connection ends with the status line. */
const send = (
  url: URL,
  route: https.RequestOptions,
  message: { headers: Record<string, string>; body: string },
  signal: AbortSignal,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const { headers, body } = message;
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      ...route,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Estate',
        connection: 'close',
        ...headers,
        'content-length': Buffer.byteLength(body),
      },
      maxHeaderSize: maxHead,
      signal,
    });
    request.on('error', reject);
    // A status of the proxy is not a status of the receiver.
    request.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
      if (statusCode === 200) return;
      reject(new Refusal(`the proxy refused the connection with status ${statusCode}`));
      request.destroy();
    });
    request.on('socket', (socket) => {
      const line = new StatusLine();
      // Before the parser of Node, which reports a status after all headers, and never one that is followed by an error.
      socket.prependListener('data', (chunk: Buffer) => {
        const status = line.read(chunk);
        if (status === undefined) return;
        if (status === 'tooLong') reject(new Refusal(`no status within ${maxHead / 1024} KB`));
        else resolve(status);
        request.destroy();
        socket.destroy();
      });
    });
    request.end(body);
  });

const noteOf = (error: unknown): string => {
  if (error instanceof Refusal) return error.message;
  if ((error as Error).name === 'TimeoutError') return `no answer within ${attemptMs / 1_000} s`;
  return `no answer (${(error as { code?: string }).code ?? 'the connection failed'})`;
};

/** Delivers a message once. It never throws, and it ends within `attemptMs`; a status of 200 to 299 means that it is delivered. */
export const post = async (
  target: string,
  message: { readonly headers: Record<string, string>; readonly body: string },
  reach: WebhookReach,
  stop?: AbortSignal,
): Promise<Attempt> => {
  const limit = AbortSignal.timeout(attemptMs);
  const signal = stop ? AbortSignal.any([stop, limit]) : limit;
  try {
    signal.throwIfAborted();
    const url = parseEndpoint(target, reach);
    const status = await unlessAborted(
      routeOf(url, reach, signal).then((route) => send(url, route, message, signal)),
      signal,
    );
    const isDelivered = status >= 200 && status < 300;
    return isDelivered ? { isDelivered, status } : { isDelivered, status, note: `status ${status}` };
  } catch (error) {
    return { isDelivered: false, note: error instanceof OperatorError ? error.message : noteOf(limit.aborted ? limit.reason : error) };
  }
};
