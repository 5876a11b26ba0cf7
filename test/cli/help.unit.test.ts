/** The help of every command ends with an example that the command line accepts (contract: commands). */
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];
const leavesOf = (command: Command): Command[] => allOf(command).filter(({ commands }) => commands.length === 0);
const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name());

const helpOf = (command: Command): string => {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
};

/** Splits words like a shell, up to a comment, a pipe or a redirection. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/ +[#<>|].*/, '').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');

test.each(allOf(createProgram()).map((command) => [pathOf(command), command] as const))('%s', (path, command) => {
  const [, list = ''] = helpOf(command).split('Examples:\n');
  const lines = list.trim().split('\n');
  for (const line of lines) {
    expect(line.trim()).toMatch(new RegExp(`^${path}( |$)`));
    const fresh = createProgram();
    const leaf = leavesOf(fresh).find((one) => `${line.trim()} `.startsWith(`${pathOf(one)} `));
    let ran = false;
    leaf?.action(() => {
      ran = true;
    });
    fresh.parse(wordsOf(line).slice(1), { from: 'user' });
    expect([line, ran]).toEqual([line, true]);
  }
});
