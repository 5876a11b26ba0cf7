/** The project's own rules of the linter find what they forbid, and accept the rest (decision record 110). */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lint-rules-'));
  const plugins = ['replacement', 'request-address'].map((name) => resolve(`scripts/lint/${name}.grit`));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ root: true, plugins, linter: { rules: { preset: 'none' } } }));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The numbers of the lines with a finding. */
const findings = (lines: readonly string[]): number[] => {
  writeFileSync(join(folder, 'code.ts'), lines.join('\n'));
  const { stdout } = spawnSync(resolve('node_modules/.bin/biome'), ['lint', '--reporter=json', '--max-diagnostics=100', 'code.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { location: { start: { line: number } } }[] };
  return [...new Set(diagnostics.map(({ location }) => location.start.line))].sort((one, other) => one - other);
};

test('a forbidden replacement is found', () => {
  const lines = [
    "text.replace('a', other);",
    `text.replaceAll('a', \`x\${other}\`);`,
    'text.trim().replaceAll(/a/g, other.trim());',
    "text?.replace('a', other);",
    "text.replace('a', is ? 'a' : other);",
    "text.replace('a', decodeURIComponent);",
  ];
  expect(findings(lines)).toEqual(lines.map((_, index) => index + 1));
});

test('a function or a plain string is an allowed replacement', () => {
  const lines = [
    "text.replace('a', () => other);",
    'text.replaceAll(/a/g, (_, letter: string | undefined) => other(letter));',
    'text.replaceAll(/a/g, (whole) => {\n  return other(whole);\n});',
    'text.replaceAll(/(a)/g, "$1");',
    'text.replace(/a/, whole => whole);',
    'cluster.replace(client, drops, renames);',
  ];
  expect(findings(lines)).toEqual([]);
});

test('the address of a request is found', () => {
  const lines = [
    'use(request.host);',
    'use(call.request.protocol);',
    'use(request.hostname);',
    'use(request.headers.host);',
    'use(headers.forwarded);',
    "use(request.headers['x-forwarded-host']);",
    "use(headers['X-Forwarded-Proto']);",
    'const { protocol, host } = request;',
    'const { host: name } = headers;',
    'const of = ({ host }: FastifyRequest) => host;',
    "type Part = Pick<FastifyRequest, 'method' | 'host'>;",
  ];
  expect(findings(lines)).toEqual(lines.map((_, index) => index + 1));
});

test('addresses of other things are allowed', () => {
  const lines = ['use(new URL(text).host);', 'use(config.host);', "use(request.headers['x-forwarded-for']);", 'const { host } = node;'];
  expect(findings(lines)).toEqual([]);
});
