/** A row of the table of commands, and the command that it makes. */
import type { Argument, Command, Option } from 'commander';

export interface CommandRow {
  /** The name with its arguments. */
  readonly name: string;
  readonly text: string;
  /** Arguments with choices. All others are a part of the name. */
  readonly arguments: readonly Argument[];
  readonly options: readonly Option[];
  /** What follows the command in the examples of its help. */
  readonly examples: readonly string[];
  readonly commands: readonly CommandRow[];
  // biome-ignore lint/suspicious/noExplicitAny: the types follow from the arguments and the options
  readonly run: ((...args: any[]) => Promise<void>) | undefined;
}

/** A command that runs. */
export const row = (
  name: string,
  text: string,
  examples: readonly string[],
  options: readonly Option[],
  run: CommandRow['run'],
  args: readonly Argument[] = [],
): CommandRow => ({ name, text, examples, options, run, arguments: args, commands: [] });

/** A command with commands below it. */
export const group = (name: string, text: string, examples: readonly string[], commands: readonly CommandRow[]): CommandRow => ({
  name,
  text,
  examples,
  options: [],
  run: undefined,
  arguments: [],
  commands,
});

/** Loads the code of a command when it runs. Help and usage errors do not need it. */
export const command =
  // biome-ignore lint/suspicious/noExplicitAny: the types follow from the declaration of the command
    <Name extends string>(load: () => Promise<Readonly<Record<Name, (...args: any[]) => unknown>>>, name: Name) =>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    async (...args: any[]): Promise<void> => {
      await (await load())[name](...args);
    };

/** The last lines of a command's help. */
export const examplesText = (path: string, examples: readonly string[]): string =>
  `\nExamples:\n${examples.map((example) => `  ${`${path} ${example}`.trimEnd()}`).join('\n')}`;

/** Adds a command, and those below it, to its parent. `path` are the names before it. */
export const addCommand = (parent: Command, path: string, described: CommandRow): void => {
  const made = parent.command(described.name).description(described.text);
  const ownPath = `${path} ${made.name()}`;
  for (const argument of described.arguments) made.addArgument(argument);
  for (const option of described.options) made.addOption(option);
  made.addHelpText('after', examplesText(ownPath, described.examples));
  for (const each of described.commands) addCommand(made, ownPath, each);
  if (described.run) made.action(described.run);
};
