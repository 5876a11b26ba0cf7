/** The command line (contract: commands). */
import { Command } from 'commander';
import { projectFile } from '../web/pages/static-files.ts';
import { paint } from './colour.ts';
import { addCommand, examplesText } from './command-row.ts';
import { commandRows } from './commands.ts';

const examples = [
  'serve',
  "customer add nord --name 'Nordlicht Wohnen GmbH' --tier enterprise",
  'sync nord deliveries/2026-11-21 --dry-run',
  "key create --customer nord --tier professional --name 'night export'",
  'doctor',
];

/** Creates the program. Parsing throws a `CommanderError` on wrong usage. */
export const createProgram = (): Command => {
  const program = new Command('estate')
    .description('A multi-tenant, read-only data service over real-estate ERP data.')
    .version((JSON.parse(projectFile('package.json')) as { version: string }).version)
    .exitOverride()
    .configureHelp({ styleTitle: (title) => paint('bold', title) })
    .addHelpText('after', examplesText('estate', examples))
    .showHelpAfterError();
  for (const row of commandRows) addCommand(program, 'estate', row);
  return program;
};
