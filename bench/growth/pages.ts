/** Pages of the customer `bench` of `DATABASE_URL`: deep in a table, and compressed. */
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
}

/** Measures pages of orders in alternation on one server. The last page is the reference. */
const repeating = async (pages: readonly Page[]): Promise<Measured[]> => {
  const { key, revoke } = await issueKey('bench');
  const server = await startService({ environment: { NODE_ENV: 'production', DATABASE_URL: config.DATABASE_URL } });
  try {
    const contenders = pages.map(({ limit, offset, coding }) => {
      const requests = Array.from(
        { length: offsets },
        (_, at): HttpRequest => ({
          path: `/operations/orders?limit=${limit}&offset=${offset + at}`,
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
