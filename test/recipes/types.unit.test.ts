/** The recipes and the samples of the guide in TypeScript have correct types. Running them does not check this. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'estate-types-'));
afterAll(() => rmSync(folder, { recursive: true }));

const estate = 'test/recipes/generated/estate.d.ts';

test('recipes and samples of the guide', () => {
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  copyFileSync(estate, join(folder, 'estate.d.ts'));
  copyFileSync('examples/recipes/orders.mts', join(folder, 'orders.mts'));
  for (const name of readdirSync('docs/guide'))
    for (const [index, [, code = '']] of [...readFileSync(join('docs/guide', name), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].entries())
      writeFileSync(join(folder, `${name}-${index}.mts`), `${code}\nexport {};\n`);
  const files = readdirSync(folder).filter((name) => name.endsWith('.mts'));
  expect(files.length).toBeGreaterThan(2);
  const options = '--noEmit --strict --module nodenext --target es2024 --skipLibCheck --allowImportingTsExtensions --types node'.split(' ');
  const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), [...options, ...files], { cwd: folder, encoding: 'utf8' });
  expect(stdout).toBe('');
});

test('the generated types have the columns of the interface description', () => {
  const { components } = JSON.parse(readFileSync('test/goldens/openapi.json', 'utf8'));
  const [, columns = ''] = /^ {8}orders: \{\n(.*?)^ {8}\};/ms.exec(readFileSync(estate, 'utf8')) ?? [];
  const names = [...columns.matchAll(/^ {12}(\w+)\??:/gm)].map(([, name]) => name);
  expect(names).toEqual(Object.keys(components.schemas.orders.properties));
});
