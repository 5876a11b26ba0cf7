/** Substring searches in a million rows. */
import { bodyOf } from '../client.ts';
import { type Figure, keyOf, ms, timeOf, withCustomer, withService } from './estate.ts';
import { fill } from './rows.ts';

const rows = 1_000_000;
const parts = { 'a part that 550 rows have': 'xt 777', 'a part that none has': 'nowhere' };

export const measure = (): Promise<Figure[]> =>
  withCustomer(async (location, url) => {
    await fill(url, 'orders', rows);
    const key = await keyOf(location, 'bench');
    return withService(location, async ({ url: address }) => {
      const figures: Figure[] = [];
      for (const operator of ['contains', 'iContains'])
        for (const [name, part] of Object.entries(parts)) {
          const query = `{ orders(first: 100, filter: { subject: { ${operator}: "${part}" } }) { nodes { orderId } } }`;
          const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
          const ask = () => bodyOf({ url: address }, { method: 'POST', path: '/graphql', headers, body: JSON.stringify({ query }) });
          const first = await timeOf(ask);
          figures.push([`\`${operator}\`, ${rows.toLocaleString('en')} rows: ${name}`, `${ms(first)}, again ${ms(await timeOf(ask))}`]);
        }
      return figures;
    });
  });
