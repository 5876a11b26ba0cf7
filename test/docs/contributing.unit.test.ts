/** The commands of CONTRIBUTING do what its text says. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseCLI } from 'vitest/node';

const text = readFileSync('CONTRIBUTING.md', 'utf8');
const commands = [...text.matchAll(/npx (vitest run [^`\n]+)/g)].map(([, command = '']) => command.trim());

test('vitest runs the named files, and all of them exist', () => {
  expect(commands.length).toBeGreaterThan(1);
  for (const command of commands) {
    const named = command.split(' ').filter((part) => part.endsWith('.ts'));
    expect([command, [...parseCLI(command).filter]]).toEqual([command, named]);
    for (const file of named) expect([file, existsSync(file)]).toEqual([file, true]);
  }
});

test('the command for goldens updates snapshots', () => {
  const rewriting = commands.filter((command) => / (-u|--update)\b/.test(command));
  expect(rewriting.map((command) => parseCLI(command).options.update)).toEqual([true]);
});

test('the named files of the project exist', () => {
  const files = [...text.matchAll(/`((?:src|test|docs|scripts|bench)\/[\w./-]+\.\w+)`/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
