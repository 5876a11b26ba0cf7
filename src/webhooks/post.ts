/**
 * One attempt to deliver a message: a POST to exactly the address that was checked, without redirects, bounded in time and bytes.
 *
 * Names are resolved by DNS queries of this process. The resolver of the system would occupy a thread that compression needs, too.
 */
import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { OperatorError } from '../errors.ts';
import { isPublicAddress } from './address.ts';

/** How long an attempt may take. */
export const attemptMs = 10_000;
/** The maximum bytes of the head of an answer, and of its body that are read. The body has no meaning. */
const maxHead = 16 * 1024;
const maxBody = 64 * 1024;
const longestUrl = 2_000;

export interface Reach {
  /** Whether `http` and addresses that are not public are allowed. */
  readonly allowsPrivate: boolean;
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

/** A host as an address, if it is one. */
const literalOf = ({ hostname }: URL): string | undefined => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) ? bare : undefined;
};

/** The address of an endpoint as a URL. Throws an `OperatorError` if no webhook may lead there. */
export const parseEndpoint = (text: string, { allowsPrivate }: Reach): URL => {
  const url = URL.canParse(text) && text.length <= longestUrl ? new URL(text) : undefined;
  if (!url || !(url.protocol === 'https:' || (allowsPrivate && url.protocol === 'http:')))
    throw new OperatorError(
      `The address of a webhook is an ${allowsPrivate ? 'http:// or ' : ''}https:// URL of at most ${longestUrl} characters.`,
    );
  if (url.username || url.password) throw new OperatorError('The address of a webhook holds no user name and no password.');
  const literal = literalOf(url);
  if (literal && !allowsPrivate && !isPublicAddress(literal))
    throw new OperatorError('The address of a webhook is not public. WEBHOOK_ALLOW_PRIVATE=true allows it.');
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

/** The address to connect to. All addresses of the name must be public, because any of them may be the one of the next attempt. */
const checkedAddress = async (url: URL, { allowsPrivate, resolve = resolveName }: Reach): Promise<string> => {
  const literal = literalOf(url);
  const addresses = literal ? [literal] : await resolve(url.hostname);
  if (addresses.length === 0) throw new Refusal('the name has no address');
  if (!allowsPrivate && !addresses.every(isPublicAddress)) throw new Refusal('the address is not public');
  // IPv4 first, because many networks have no route for IPv6.
  const preferred = addresses.filter((address) => isIP(address) === 4);
  const from = preferred.length > 0 ? preferred : addresses;
  return from[Math.floor(Math.random() * from.length)] as string;
};

const fixedLookup =
  (address: string): LookupFunction =>
  (_name, options, callback) => {
    const family = isIP(address);
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };

/** Rejects when the signal aborts, also if the work cannot be stopped. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
};

/** The status of the answer. What follows the head is read within bounds and ignored. */
const send = (
  url: URL,
  address: string,
  message: { headers: Record<string, string>; body: string },
  signal: AbortSignal,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const { headers, body } = message;
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'user-agent': 'Estate', ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: fixedLookup(address),
      maxHeaderSize: maxHead,
      signal,
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBody) request.destroy();
      });
      response.on('error', () => {});
      response.on('close', () => resolve(response.statusCode ?? 0));
    });
    request.end(body);
  });

const noteOf = (error: unknown): string => {
  if (error instanceof Refusal) return error.message;
  if ((error as Error).name === 'TimeoutError') return `no answer within ${attemptMs / 1_000} s`;
  return `no answer (${(error as { code?: string }).code ?? 'the connection failed'})`;
};

/** Delivers a message once. It never throws; a status of 200 to 299 means that it is delivered. */
export const post = async (
  target: string,
  message: { readonly headers: Record<string, string>; readonly body: string },
  reach: Reach,
  stop?: AbortSignal,
): Promise<Attempt> => {
  const limit = AbortSignal.timeout(attemptMs);
  const signal = stop ? AbortSignal.any([stop, limit]) : limit;
  try {
    signal.throwIfAborted();
    const url = parseEndpoint(target, reach);
    const address = await unlessAborted(checkedAddress(url, reach), signal);
    const status = await send(url, address, message, signal);
    const isDelivered = status >= 200 && status < 300;
    return isDelivered ? { isDelivered, status } : { isDelivered, status, note: `status ${status}` };
  } catch (error) {
    return { isDelivered: false, note: error instanceof OperatorError ? error.message : noteOf(limit.aborted ? limit.reason : error) };
  }
};
