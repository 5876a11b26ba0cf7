/**
 * Counts the response bytes in memory that wait for slow clients, by customer. A customer above its limit gets no new responses. Above the
 * limit for all customers, the oldest response of the customer with the most bytes is reset (contract: slow clients).
 */
import { ApiError } from '../../errors.ts';

const megabyte = 2 ** 20;
/** A customer with more bytes gets a 503. */
const maxOfOne = 32 * megabyte;
const max = 96 * megabyte;
const retryAfterSeconds = '5';

interface Held {
  readonly bytes: number;
  readonly cut: () => void;
}

const customers = new Map<number, { bytes: number; readonly answers: Set<Held> }>();
let total = 0;

const cutOldest = (): void => {
  const [holder] = [...customers.values()].sort((one, other) => other.bytes - one.bytes);
  const [oldest] = holder?.answers ?? [];
  oldest?.cut();
};

/** Throws `busy` when too many bytes wait for a customer's clients. */
export const checkHeld = (customerId: number): void => {
  if (total > 0 && (customers.get(customerId)?.bytes ?? 0) > maxOfOne) throw new ApiError('busy', '', { 'Retry-After': retryAfterSeconds });
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
  const customer = customers.get(customerId) ?? { bytes: 0, answers: new Set() };
  customers.set(customerId, customer);
  customer.answers.add(held);
  customer.bytes += bytes;
  total += bytes;
  const release = (): void => {
    if (!customer.answers.delete(held)) return;
    customer.bytes -= bytes;
    total -= bytes;
    if (customer.answers.size === 0) customers.delete(customerId);
  };
  while (total > max) cutOldest();
  return release;
};
