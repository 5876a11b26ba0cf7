/** Parameters of requests for orders. There are so many that the response cache has evicted each before it is requested again. */
import type { Server } from '../scripts/support/server.ts';
import { fetchAnswer } from './client.ts';

export type Headers = Readonly<Record<string, string>>;

/** Of the customer `bench`. */
const firstProperty = 1_001;
const properties = 5_000;
const orders = 500_000;
/** Pages of 1,000 rows are 1.6 MB. */
const positions = 200;

/** Evenly spread values, the same in every run. */
const spread = (max: number, count: number): number[] => Array.from({ length: count }, (_, at) => (at * 7_919_317) % max);

export const propertiesOf = (): number[] => spread(properties, properties).map((at) => firstProperty + at);

/** A row of the table, and the cursor behind it. */
export interface PagePosition {
  readonly id: number;
  readonly cursor: string;
}

/** Keys of orders throughout the table. Responses of 1,000 narrow rows have 200 KB. */
export const ordersOf = (first: number): number[] => spread(orders - 2_000, 5_000).map((at) => first + at);

/** Rows throughout the table, with their cursors from the service. At least 1,000 rows follow each of them. */
export const positionsOf = async ({ url }: Server, headers: Headers, filter = ''): Promise<PagePosition[]> => {
  const path = `${url}/operations/orders?limit=1${filter}`;
  const first = await fetchAnswer(path, { headers });
  const total = Math.min(orders, Number(first.headers.get('x-total-count')));
  const found: PagePosition[] = [];
  for (const offset of spread(total - 2_000, positions)) {
    const page = await fetchAnswer(`${path}&offset=${offset}`, { headers });
    const [row] = (await page.json()) as { order_id: number }[];
    found.push({ id: row!.order_id, cursor: page.headers.get('x-next-cursor')! });
  }
  return found;
};
