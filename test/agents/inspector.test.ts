/** The tools over `mcp-inspector --cli` (contract: tools for agents). CI installs it beside Node 24; it does not run on Node 20. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { agentKey } from './agent.ts';

const program = 'mcp-inspector';
const isInstalled = spawnSync(program, ['--cli', '--help']).status === 0;

const run = promisify(execFile);

describe.runIf(isInstalled)('the inspector', () => {
  let service: TestService;
  let key: string;
  beforeAll(async () => {
    service = await startService();
    key = await agentKey(service);
  });
  afterAll(() => service.stop());

  /** What the inspector prints. */
  const inspect = async (...parameters: readonly string[]) => {
    const connection = ['--cli', `${service.url}/mcp`, '--transport', 'http', '--header', `X-API-Key: ${key}`];
    const { stdout } = await run(program, [...connection, ...parameters]);
    return JSON.parse(stdout);
  };

  test('lists the tools', async () => {
    const { tools } = await inspect('--method', 'tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      'list_tables',
      'describe_table',
      'query_rows',
      'query_groups',
      'get_changes',
      'list_questions',
      'run_question',
    ]);
  });

  test.each([
    ['list_tables', []],
    ['describe_table', ['table=orders']],
    ['query_rows', ['table=orders', 'limit=2']],
    ['query_groups', ['table=orders', 'by=["trade"]', 'sum=["total_net"]']],
    ['list_questions', []],
    ['run_question', ['question=dearest-trades']],
  ] as const)('calls %s', async (name, given) => {
    const result = await inspect('--method', 'tools/call', '--tool-name', name, ...given.flatMap((each) => ['--tool-arg', each]));
    expect(result.isError ?? false).toBe(false);
    expect(result.content.length).toBeGreaterThan(0);
  });

  test('calls get_changes', async () => {
    const { headers } = await service.get('/operations/orders?limit=1');
    const version = headers.get('X-Data-Version');
    const given = ['table=orders', `since_version=${version}`].flatMap((each) => ['--tool-arg', each]);
    const { content } = await inspect('--method', 'tools/call', '--tool-name', 'get_changes', ...given);
    expect(content.length).toBeGreaterThan(0);
  });
});
