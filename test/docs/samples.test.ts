/** Runs the samples of the guide unchanged against the service, with the same replacements as the page. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuestionStore } from '../../src/access/questions.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { endpointGroups } from '../../src/catalogue/tiers.ts';
import { checkQuestion } from '../../src/graphql/questions/check.ts';
import { sampleKey, sampleOrigin } from '../../src/web/docs/markdown.ts';
import { agentKey } from '../agents/agent.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;
/** A key for the tools of agents, and to save questions. */
let ofAgents: string;
const folder = mkdtempSync(join(tmpdir(), 'estate-samples-'));
beforeAll(async () => {
  service = await startService();
  ofAgents = await agentKey(service, { groups: endpointGroups });
  const [, document = ''] = /^```graphql\n(.*?)^```$/ms.exec(readFileSync('docs/guide/questions.md', 'utf8')) ?? [];
  checkQuestion(catalogue, document);
  await new QuestionStore(service.database).add({ name: 'arrears', document }, undefined);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

interface Runner {
  readonly file: string;
  readonly program: string;
  readonly before: readonly string[];
}

const runners: Readonly<Record<string, Runner>> = {
  sh: { file: 'sample.sh', program: 'bash', before: [] },
  python: { file: 'sample.py', program: 'python3', before: [] },
  ts: { file: 'sample.mts', program: process.execPath, before: ['--import', import.meta.resolve('tsx')] },
};

/** The expected output of each sample. */
const prints: Readonly<Record<string, RegExp>> = {
  start: /1001|address/,
  paging: /\d+ units|^$/,
  filters: /to_id|\d+ \S+|^order_id,subject[^\n]*\n\d/,
  groups: /arrears|property_id/,
  copy: /"changes"|"upserts"|\w+ \d+ \d+|rows to keep/,
  graphql: /floorAreaId/,
};

/** The expected output of pages without a sample in each language. */
const printsToo: Readonly<Record<string, RegExp>> = {
  questions: /^key\.property\.propertyId,.*\r\n\d+,|"title":"Which houses have most units\?"/,
};

const samples = readdirSync('docs/guide').flatMap((name) => {
  const text = readFileSync(join('docs/guide', name), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks.flatMap(([, language = '', code = ''], index) =>
    language in runners ? [[name.replace('.md', ''), language, index, code] as const] : [],
  );
});

describe.each(['sh', 'python', 'ts'])('%s', (language) => {
  test.each(samples.filter(([, own]) => own === language))('%s %s %i', async (page, _, __, code) => {
    const { file, program, before } = runners[language] as Runner;
    const path = join(folder, file);
    writeFileSync(
      path,
      code
        .replaceAll(sampleOrigin, () => service.url)
        .replaceAll(sampleKey, () => (page === 'agents' || page === 'questions' ? ofAgents : keys.nordEnterprise)),
    );
    const { stdout } = await promisify(execFile)(program, [...before, path], { cwd: folder });
    expect(stdout).toMatch(prints[page] ?? printsToo[page] ?? /./);
    expect(stdout).not.toContain('about:blank');
    if (page !== 'paging' || language !== 'sh') return;
    const rows = readFileSync(join(folder, 'pages.json'), 'utf8').match(/"floor_area_id"/g)?.length;
    const { headers } = await service.get('/property/property_structure?limit=1');
    expect(String(rows)).toBe(headers.get('X-Total-Count'));
  });
});

test('the sample of files keeps the earlier copy and ends if the answer is an error', async () => {
  const [, , , code = ''] = samples.find(([page, language]) => page === 'files' && language === 'sh')!;
  const [script, copy] = [join(folder, 'refused.sh'), join(folder, 'properties.parquet')];
  writeFileSync(copy, 'the earlier copy');
  writeFileSync(script, code.replaceAll(sampleOrigin, () => service.url).replaceAll(sampleKey, 'wrong'));
  const run = promisify(execFile)('bash', [script], { cwd: folder, timeout: 60_000 });
  await expect(run).rejects.toMatchObject({ code: 1, stderr: 'status 401\n' });
  expect(readFileSync(copy, 'utf8')).toBe('the earlier copy');
});

test('each page with samples has them in all languages', () => {
  for (const page of Object.keys(prints)) {
    const text = readFileSync(`docs/guide/${page}.md`, 'utf8');
    for (const language of ['sh', 'python', 'powerquery'])
      expect([page, language, text.includes(`\`\`\`${language}\n`)]).toEqual([page, language, true]);
  }
});
