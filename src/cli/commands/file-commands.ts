/** The commands `estate files …`. */
import { type Command, Option } from 'commander';
import { fileFormats } from '../../files/formats.ts';
import { command, customer, examplesText, jsonOption } from '../options.ts';

export const addFileCommands = (program: Command): void => {
  const files = program
    .command('files')
    .description('manage the files of whole tables under /files')
    .addHelpText('after', examplesText('files build nord', 'files list --customer nord', 'files prune'));
  files
    .command('list')
    .description('list the files that are built, of keys without a data scope')
    .addOption(customer())
    .addOption(jsonOption)
    .addHelpText('after', examplesText('files list --customer nord'))
    .action(command(() => import('./files.ts'), 'listFiles'));
  files
    .command('build <customer>')
    .description('build the files of the current data that are missing, for example after a load')
    .option('--table <tables...>', 'category tables by name, raw tables as raw/name (default: all tables)')
    .addOption(new Option('--format <formats...>', 'formats (default: all formats)').choices(fileFormats))
    .option('--again', 'only files of which an earlier version is kept')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('files build nord --again', 'files build nord --table orders raw/person --format parquet'))
    .action(command(() => import('./files.ts'), 'buildFiles'));
  files
    .command('prune')
    .description('remove all versions but the last three, and the files of removed customers')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('files prune'))
    .action(command(() => import('./files.ts'), 'pruneFiles'));
};
