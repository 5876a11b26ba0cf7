/** `estate webhook …` */
import { webhookReachOf } from '../../config.ts';
import { OperatorError } from '../../errors.ts';
import { EndpointStore, type IssuedSecret } from '../../webhooks/endpoints.ts';
import { type CommandSession, columns, report, withSession } from '../session.ts';

interface Options {
  readonly json?: boolean;
  readonly customer?: string;
  readonly events?: readonly string[];
}

const storeOf = ({ database, secret, config }: CommandSession): EndpointStore =>
  new EndpointStore(database, { secret, reach: webhookReachOf(config) });

const issuedWords = ({ id, url, secret }: IssuedSecret) => `Webhook ${id} for ${url}\nSecret, shown this once: ${secret}`;

export const addWebhook = (url: string, options: Options & { readonly customer: string }) =>
  withSession(async (session) => {
    const issued = await storeOf(session).add(options.customer, url, options.events);
    report(issued, options, () => issuedWords(issued));
  });

export const listWebhooks = (options: Options) =>
  withSession(async (session) => {
    const endpoints = await storeOf(session).list(options.customer);
    const rows = endpoints.map(({ id, customer, url, events, waiting, failing_since, disabled_at }) => [
      id,
      customer,
      disabled_at ? `disabled ${disabled_at.toISOString()}` : failing_since ? `failing since ${failing_since.toISOString()}` : 'active',
      String(waiting),
      events.join(),
      url,
    ]);
    report(endpoints, options, () => columns(['webhook', 'customer', 'state', 'waiting', 'events', 'address'], rows));
  });

export const testWebhook = (id: string, options: Options) =>
  withSession(async (session) => {
    const attempt = await storeOf(session).test(id);
    if (!attempt.isDelivered) throw new OperatorError(`Not delivered: ${attempt.note}.`);
    report({ id, status: attempt.status }, options, () => `Delivered: status ${attempt.status}.`);
  });

export const rotateWebhook = (id: string, options: Options) =>
  withSession(async (session) => {
    const issued = await storeOf(session).rotate(id);
    report(issued, options, () => `${issuedWords(issued)}\nThe old secret signs as well for a day.`);
  });

export const removeWebhook = (id: string, options: Options) =>
  withSession(async (session) => {
    const { customer } = await storeOf(session).remove(id);
    report({ id, customer, removed: true }, options, () => `Removed webhook ${id} of ${customer}.`);
  });
