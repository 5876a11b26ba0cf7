/** The commands `estate source …` and `estate template`. */
import type { Command } from 'commander';
import { command, customer, examplesText, jsonOption } from '../options.ts';

export const addSourceCommands = (program: Command): void => {
  const source = program
    .command('source')
    .description('describe the export of a source system in a file, and check it')
    .addHelpText('after', examplesText('source draft deliveries/2026-11-21 > erp.yml', 'source check erp.yml deliveries/2026-11-21'));
  source
    .command('schema')
    .description('print the JSON Schema of source files')
    .addHelpText('after', examplesText('source schema > source.schema.json'))
    .action(command(() => import('./source.ts'), 'printSchema'));
  source
    .command('draft <folder>')
    .description('look at the files of an export and print a source file with proposals and their evidence')
    .addHelpText('after', examplesText('source draft deliveries/2026-11-21 > erp.yml'))
    .action(command(() => import('./source.ts'), 'printDraft'));
  source
    .command('check <file> <folder>')
    .description('read an export with a source file and show what a load would do; changes nothing')
    .addOption(customer())
    .addOption(jsonOption)
    .addHelpText(
      'after',
      examplesText('source check erp.yml deliveries/2026-11-21', 'source check erp.yml deliveries/2026-11-21 --customer nord'),
    )
    .action(command(() => import('./source.ts'), 'check'));
  program
    .command('template <table>')
    .description('print an empty CSV file of a raw table with one row as an example')
    .addHelpText('after', examplesText('template property_hdr > property_hdr.csv'))
    .action(command(() => import('./source.ts'), 'printTemplate'));
};
