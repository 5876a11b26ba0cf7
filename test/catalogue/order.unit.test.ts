/** The order of the tables is the same in the sources and in the bundle (contract: categories and tables). */
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { catalogue, entries } from '../../src/catalogue/index.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { inNameOrder } from '../../src/catalogue/tables/order.ts';

type Ordered = Pick<typeof import('../../src/catalogue/index.ts'), 'catalogue' | 'entries'> & { readonly rawTables: typeof rawTables };

/** The catalogue after bundling. */
const bundled = async (): Promise<Ordered> => {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from './src/catalogue/index.ts'; export { rawTables } from './src/catalogue/raw/index.ts';",
      resolveDir: '.',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')}`);
};

const inOrder = ({ catalogue, entries, rawTables }: Ordered) => ({
  entries: entries.map(({ name }) => name),
  tables: [...catalogue.tables.keys()],
  relations: [...catalogue.relations].map(([name, relations]) => [name, relations.map((relation) => relation.name)]),
  raw: Object.keys(rawTables),
});

test('the bundle has the tables, relations and raw tables in the order of the sources', async () => {
  expect(inOrder(await bundled())).toEqual(inOrder({ catalogue, entries, rawTables }));
});

test('the order of declarations in a file does not matter', () => {
  const [one, other] = [
    { orders: 1, offers: 2, offer: 3 },
    { offer: 3, orders: 1, offers: 2 },
  ];
  for (const namespace of [one, other]) expect(Object.keys(inNameOrder(namespace))).toEqual(['offer', 'offers', 'orders']);
});
