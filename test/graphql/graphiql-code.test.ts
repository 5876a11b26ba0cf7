/** Runs the programs that GraphiQL writes unchanged. The key is only in their environment (contract: GraphiQL). */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyVariable } from '../../src/prints/programs.ts';
import { codeOf, type languages } from '../../src/web/graphiql/studio/rest/code.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;
/** Inside the checkout, where a program finds its packages. */
const folder = mkdtempSync(join('node_modules', '.code-test-'));
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const query = `# A \`quoted\` \${comment}, a "word", a \\ and """three""".
query Found($words: [String!], $hasOffer: Boolean, $text: String) {
  orders(first: 1, filter: { subject: { in: $words }, offerHdrId: { isNull: $hasOffer }, trade: { ne: $text } }) { totalCount }
  changes(since: "2024-01-01") { table }
}`;
const variables = '{"words": ["it\'s \\"a\\" \\\\ `word`", "Heizungsumbau"], "hasOffer": false, "text": null}';

test.each(['fetch', 'Python'] satisfies (keyof typeof languages)[])('%s', async (language) => {
  const code = codeOf(language, { query, variables, operationName: 'Found' }, `${service.url}/graphql`);
  expect(code).not.toContain(keys.nordEnterprise);
  const path = join(folder, language === 'Python' ? 'ask.py' : `ask-${language}.mjs`);
  writeFileSync(path, code);
  const env = { ...process.env, [keyVariable]: keys.nordEnterprise };
  const { stdout } = await promisify(execFile)(language === 'Python' ? 'python3' : process.execPath, [path], { env });
  const answer = JSON.parse(stdout);
  expect(answer.orders.totalCount).toBeTypeOf('number');
  expect(answer.changes.length).toBeGreaterThan(10);
});
