/** Completions of a shell. */
import { execFileSync } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';

const scriptFor = async (shell: string): Promise<string> => {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  await createProgram()
    .parseAsync(['completion', shell], { from: 'user' })
    .finally(() => write.mockRestore());
  return written.join('');
};

/** Requests completions from a real bash. */
const offered = (script: string, words: readonly string[]): string[] =>
  execFileSync(
    'bash',
    ['-euc', `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _estate; echo "\${COMPREPLY[*]}"`, 'bash', ...words],
    {
      encoding: 'utf8',
    },
  )
    .trim()
    .split(' ');

test.each([
  [['estate', 'cu'], ['customer']],
  [
    ['estate', 'customer', 're'],
    ['rename', 'resume', 'remove'],
  ],
  [['estate', 'customer', 'add', 'nord', '--t'], ['--tier']],
  [
    ['estate', 'customer', 'add', 'nord', '--tier', ''],
    ['basic', 'professional', 'enterprise'],
  ],
  [
    ['estate', 'customer', 'add', 'nord', '--tier', 'basic', '--n'],
    ['--name', '--node'],
  ],
  [['estate', 'completion', 'z'], ['zsh']],
  [
    ['estate', 'print', ''],
    ['ddl', 'dictionary', 'openapi', 'contract', 'dlt', 'duckdb', '--help'],
  ],
  [['estate', 'sync', 'nord', '--dry'], ['--dry-run']],
  [['estate', 'doctor', '--js'], ['--json']],
])('%j', async (words, expected) => {
  expect(offered(await scriptFor('bash'), words)).toEqual(expected);
});

test('zsh gets what it needs to run the same script', async () => {
  const [bash, zsh] = [await scriptFor('bash'), await scriptFor('zsh')];
  expect(zsh.endsWith(bash)).toBe(true);
  expect(zsh).toContain('bashcompinit');
});
