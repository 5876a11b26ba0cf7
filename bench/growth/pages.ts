/** Pages of the customer `bench` of `DATABASE_URL`: deep in a table, compressed, and with a part of the columns. */
import { config, issueKey } from '../../scripts/support/key.ts';
import type { Client, HttpRequest } from '../client.ts';
import { type Measured, measureInRounds } from '../rounds.ts';
import { startService } from '../service.ts';
import { type Figure, ms } from './estate.ts';

const options = { rounds: 9, connections: 1, roundMs: 500, warmUp: 50 };
/** Each request has a different offset, so that no response comes from the cache. */
const offsets = 300;

interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly coding: string;
  /** The columns of the answer; absent: all of them. */
  readonly columns?: readonly string[];
}

/** Measures pages of orders in alternation on one server. The last page is the reference. */
const repeating = async (pages: readonly Page[]): Promise<Measured[]> => {
  const { key, revoke } = await issueKey('bench');
  const server = await startService({ environment: { NODE_ENV: 'production', DATABASE_URL: config.DATABASE_URL } });
  try {
    const contenders = pages.map(({ limit, offset, coding, columns }) => {
      const requests = Array.from(
        { length: offsets },
        (_, at): HttpRequest => ({
          path: `/operations/orders?limit=${limit}&offset=${offset + at}${columns ? `&columns=${columns}` : ''}`,
          headers: { 'X-API-Key': key, 'Accept-Encoding': coding },
        }),
      );
      return { server, ask: (client: Client, turn: number) => client.ask(requests[turn % offsets]!) };
    });
    return await measureInRounds(contenders, options);
  } finally {
    await server.stop();
    await revoke();
  }
};

export const measureOffset = async (): Promise<Figure[]> => {
  const [deep, near] = await repeating([499_000, 600].map((offset) => ({ limit: 100, offset, coding: 'identity' })));
  return [['100 orders at offset 499,000 and at 600', `${ms(deep!.time)} and ${ms(near!.time)}: ${deep!.ratio.toFixed(1)} times`]];
};

export const measureCompression = async (): Promise<Figure[]> => {
  const [gzip, brotli, plain] = await repeating(['gzip', 'br', 'identity'].map((coding) => ({ limit: 1_000, offset: 0, coding })));
  const times = `${ms(gzip!.time)}, ${ms(brotli!.time)} and ${ms(plain!.time)}`;
  return [
    ['1,000 orders as gzip, as brotli and plain', `${times}: gzip takes ${(gzip!.time / brotli!.time).toFixed(1)} times as long as brotli`],
  ];
};

const some = ['order_id', 'property_id', 'order_type', 'status', 'total_net', 'total_gross', 'order_date', 'subject', 'trade', 'city'];

export const measureColumns = async (): Promise<Figure[]> => {
  const page = { limit: 1_000, offset: 0, coding: 'identity' };
  const related = [...some.slice(0, -1), 'property.city'];
  const pages = [{ ...page, columns: some }, { ...page, columns: related }, page];
  const [few, behind, all] = await repeating(pages);
  const times = `${ms(few!.time)}, ${ms(behind!.time)} and ${ms(all!.time)}`;
  return [
    [
      '1,000 orders with ten columns, with one of them behind a relation, and with all 65',
      `${times}: ${few!.ratio.toFixed(2)} and ${behind!.ratio.toFixed(2)} times`,
    ],
  ];
};
