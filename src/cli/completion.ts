/** `estate completion bash|zsh`: prints a completion script, which is derived from the command definitions. */
import type { Command } from 'commander';

const commandsOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(commandsOf)];

/** The words of a command, each after a space. */
const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}` : '');

const line = (pattern: string, words: readonly string[]) => `    ${pattern}) words='${words.join(' ')}' ;;`;

/** What can follow a command: subcommands or options. */
const wordsOf = (command: Command): readonly string[] => {
  const arguments_ = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  return [...command.commands.map((child) => child.name()), ...arguments_, ...command.options.map(({ long }) => long ?? ''), '--help'];
};

/** The allowed values of options. An option name has the same meaning in every command. */
const choicesIn = (program: Command): ReadonlyMap<string, readonly string[]> =>
  new Map(
    commandsOf(program)
      .flatMap(({ options }) => options)
      .flatMap(({ long, argChoices }) => (long && argChoices ? [[long, argChoices] as const] : [])),
  );

const bash = (program: Command): string => {
  const commands = commandsOf(program);
  const paths = commands.map(pathOf).filter(Boolean);
  return `_estate() {
  local path='' words='' i=1
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  while [ "$i" -lt "$COMP_CWORD" ]; do
    case "$path \${COMP_WORDS[i]}" in
      ${paths.map((path) => `'${path}'`).join('|')}) path="$path \${COMP_WORDS[i]}" ;;
    esac
    i=$((i + 1))
  done
  case "$path" in
${commands.map((command) => line(`'${pathOf(command)}'`, wordsOf(command))).join('\n')}
  esac
  case "$prev" in
${[...choicesIn(program)].map(([option, choices]) => line(option, choices)).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _estate estate
`;
};

/** The prefix that makes zsh accept the bash script. */
const zsh = 'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n';

export const printCompletion = (shell: 'bash' | 'zsh', _options: unknown, { parent }: Command): void => {
  process.stdout.write(`${shell === 'zsh' ? zsh : ''}${bash(parent as Command)}`);
};
