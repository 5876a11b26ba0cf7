/** The saved questions of the demo: each answers rows, as JSON and as CSV. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoQuestions } from '../../demo/questions.ts';
import { saveDemoQuestions } from '../../src/cli/commands/demo.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  // The second time, nothing is missing.
  for (let at = 0; at < 2; at++) await saveDemoQuestions(service.database, 'nord');
});
afterAll(() => service.stop());

test.each(demoQuestions.map(({ name }) => name))('%s', async (name) => {
  const csv = await service.get(`/questions/${name}?format=csv`);
  expect(csv.status).toBe(200);
  expect(csv.text.split('\r\n').length).toBeGreaterThan(2);
});

test('they take variables', async () => {
  const count = async (query: string) => (await service.get(`/questions/arrears?format=csv&${query}`)).text.trim().split('\r\n').length;
  expect(await count('first=1')).toBe(2);
  const { json } = await service.get('/questions/orders-of-trades?trades=roofing&trades=painting');
  expect(json.data.ordersGroups.groups).toBeInstanceOf(Array);
});
