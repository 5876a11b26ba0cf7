/** The limits of one key and one customer: requests in flight (contract: waiting), and bytes that wait for slow clients (contract: slow clients). */
import { ApiError } from '../../errors.ts';

const retryAfterSeconds = '5';
const busy = () => new ApiError('busy', '', { 'Retry-After': retryAfterSeconds });

/** Counts the requests in flight of each key. */
export class RequestsInFlight {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  /** `max` is the limit for each key; 0 for no limit. */
  constructor(max: number) {
    this.#max = max || Number.POSITIVE_INFINITY;
  }

  /** Throws `busy` when the key already has the maximum number of requests in flight. */
  enter(keyFamily: string): void {
    const count = this.#counts.get(keyFamily) ?? 0;
    if (count >= this.#max) throw busy();
    this.#counts.set(keyFamily, count + 1);
  }

  leave(keyFamily: string): void {
    const count = (this.#counts.get(keyFamily) ?? 0) - 1;
    if (count > 0) this.#counts.set(keyFamily, count);
    else this.#counts.delete(keyFamily);
  }
}

const megabyte = 2 ** 20;
/** A customer with more bytes gets no new responses. */
const maxOfOne = 32 * megabyte;
/** Above this limit for all customers, the oldest response of the customer with the most bytes is reset. */
const max = 96 * megabyte;

interface HeldResponse {
  readonly bytes: number;
  readonly cut: () => void;
}

const customers = new Map<number, { bytes: number; readonly responses: Set<HeldResponse> }>();
let total = 0;

const cutOldest = (): void => {
  const [holder] = [...customers.values()].sort((one, other) => other.bytes - one.bytes);
  const [oldest] = holder?.responses ?? [];
  oldest?.cut();
};

/** Throws `busy` when too many response bytes in memory wait for a customer's clients. */
export const checkHeldBytes = (customerId: number): void => {
  if (total > 0 && (customers.get(customerId)?.bytes ?? 0) > maxOfOne) throw busy();
};

/** Counts a response that its client has not read. The returned function ends the count, and `cut` resets the response. */
export const holdBytes = (customerId: number, bytes: number, cut: () => void): (() => void) => {
  const held = {
    bytes,
    cut: () => {
      release();
      cut();
    },
  };
  const customer = customers.get(customerId) ?? { bytes: 0, responses: new Set() };
  customers.set(customerId, customer);
  customer.responses.add(held);
  customer.bytes += bytes;
  total += bytes;
  const release = (): void => {
    if (!customer.responses.delete(held)) return;
    customer.bytes -= bytes;
    total -= bytes;
    if (customer.responses.size === 0) customers.delete(customerId);
  };
  while (total > max) cutOldest();
  return release;
};
