/** The command line as a list of commands (contract: commands). */
import { Argument, Command, Option } from 'commander';
import { tiers } from '../catalogue/tiers.ts';
import { projectFile } from '../web/pages/static-files.ts';
import { paint } from './colour.ts';
import { addAccessCommands } from './commands/access-commands.ts';
import type { Scale } from './commands/demo.ts';
import { addFileCommands } from './commands/file-commands.ts';
import { addSourceCommands } from './commands/source-commands.ts';
import { command, customer, examplesText, jsonOption, parseSeed, parseUrl } from './options.ts';

const scales = ['tiny', 'small', 'medium', 'large', 'bench'] as const satisfies readonly Scale[];

/** Connectors of data tools: their names, what is printed, a name for its file, and the action. */
const connectors = [
  ['dlt', 'a pipeline of dlt that copies all tables', 'estate.py', 'printDlt'],
  ['airbyte', 'a manifest of Airbyte for all tables', 'estate.yaml', 'printAirbyte'],
  ['duckdb', 'a script of DuckDB with a view of each table', 'estate.sql', 'printDuckdb'],
  ['singer', 'a configuration of the Singer tap tap-rest-api-msdk', 'config.json', 'printSinger'],
] as const;

/** Creates the program. Parsing throws a `CommanderError` on wrong usage. */
export const createProgram = (): Command => {
  const program = new Command('estate')
    .description('A multi-tenant, read-only data service over real-estate ERP data.')
    .version((JSON.parse(projectFile('package.json')) as { version: string }).version)
    .exitOverride()
    .configureHelp({ styleTitle: (title) => paint('bold', title) })
    .addHelpText(
      'after',
      examplesText(
        'serve',
        "customer add nord --name 'Nordlicht Wohnen GmbH' --tier enterprise",
        'sync nord deliveries/2026-11-21 --dry-run',
        "key create --customer nord --tier professional --name 'night export'",
        'doctor',
      ),
    )
    .showHelpAfterError();

  program
    .command('serve')
    .description('run the service; the embedded database is migrated and filled with demo data first')
    .addHelpText('after', examplesText('serve', 'serve   # with DATABASE_URL, on a PostgreSQL server'))
    .action(command(() => import('./commands/serve.ts'), 'serve'));
  program
    .command('migrate')
    .description("bring the control schema up to date and name what differs in customers' tables")
    .addOption(jsonOption)
    .addHelpText('after', examplesText('migrate'))
    .action(command(() => import('./commands/maintenance.ts'), 'migrateDatabase'));

  program
    .command('doctor')
    .description('check settings, database, rights, replicas, Redis, clocks and disk, and say what to do; changes nothing')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('doctor', 'doctor --json'))
    .action(command(() => import('./doctor/doctor.ts'), 'examine'));

  program
    .command('restored')
    .description('say that the data was restored from a copy of its files, which nothing else shows; ends earlier versions')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('restored'))
    .action(command(() => import('./commands/maintenance.ts'), 'declareRestored'));

  program
    .command('nodes')
    .description('list the nodes of Citus with their customers and bytes, and whether they answer')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('nodes', 'nodes --json'))
    .action(command(() => import('./commands/nodes.ts'), 'listNodesWithCustomers'));

  addAccessCommands(program);
  addFileCommands(program);
  addSourceCommands(program);

  program
    .command('demo')
    .description('make a customer with generated data')
    .addOption(customer().makeOptionMandatory())
    .addOption(new Option('--scale <scale>', 'how much data').choices(scales).makeOptionMandatory())
    .option('--seed <n>', 'another seed makes other data of the same size', parseSeed, 1)
    .option('--if-missing', 'do nothing if there is a customer of that name already')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('demo --customer nord --scale small', 'demo --customer bench --scale large --seed 7'))
    .action(command(() => import('./commands/demo.ts'), 'makeDemo'));

  program
    .command('sync <customer> [paths...]')
    .description("load source files into a customer's raw tables, one file per table, and publish what they change")
    .addOption(new Option('--full', 'each file is its whole table (the default)'))
    .addOption(
      new Option(
        '--upsert',
        'each file holds rows to insert or update: rows that are there need the key and the columns that change (columns that the file lacks keep their values), new rows every required column',
      ),
    )
    .addOption(new Option('--delete <files...>', 'files of keys whose rows are to be deleted; with --upsert'))
    .addOption(new Option('--source <file>', 'source file that describes the export in the folder'))
    .addOption(new Option('--table <table>', 'the raw table of what standard input (-) holds'))
    .addOption(new Option('--format <format>', 'format of standard input').choices(['csv', 'ndjson']).default('csv'))
    .addOption(new Option('--dry-run', 'do everything but commit, and say what would change'))
    .addOption(new Option('--expect <manifest>', 'compare the files with a manifest (JSON) before anything is loaded'))
    .addOption(new Option('--archive <folder>', 'move the files of a load that is done into a new folder there'))
    .addOption(new Option('--strict', 'refuse a folder with files that are not loaded'))
    .addOption(new Option('--allow-deletes <tables...>', 'tables that may lose more than a fifth of their rows'))
    .addOption(new Option('--allow-empty-columns <tables...>', 'tables of which columns may lose all values'))
    .addOption(new Option('--time-zone <zone>', 'the zone of times that state none, such as Europe/Berlin'))
    .addOption(new Option('--reread', 'compare files with their tables even if they are those of the last load'))
    .addOption(new Option('--create', "make raw tables that are unknown from their files' columns"))
    .addOption(new Option('--key <column>', 'integer key of the tables that are made'))
    .addOption(new Option('--tier <tier>', 'access tier of the tables that are made').choices(tiers).default('enterprise'))
    .addOption(new Option('--history', "show the customer's loads, newest first"))
    .addOption(jsonOption)
    .addHelpText(
      'after',
      examplesText(
        'sync nord deliveries/2026-11-21 --dry-run',
        'sync nord deliveries/2026-11-21',
        'sync nord deliveries/2026-11-21 --source erp.yml',
        'sync nord person.csv --upsert --delete gone/person.csv',
        'sync nord - --table person --format ndjson < person.ndjson',
        'sync nord --history',
      ),
    )
    .action(command(() => import('./commands/sync.ts'), 'syncFiles'));

  program
    .command('check <customer>')
    .description('show the failed checks of the data, as of the last load')
    .addOption(new Option('--again', 'run all checks now'))
    .addOption(new Option('--all', 'show the checks without violations, too'))
    .addOption(jsonOption)
    .addHelpText('after', examplesText('check nord', 'check nord --again --json'))
    .action(command(() => import('./commands/check.ts'), 'checkCustomer'));

  const print = program
    .command('print')
    .description('print what the catalogue says')
    .addHelpText(
      'after',
      examplesText('print ddl > schema.sql', 'print openapi > openapi.json', 'print dlt --url https://estate.example.com > estate.py'),
    );
  print
    .command('ddl')
    .description("a customer's schema as SQL")
    .addHelpText('after', examplesText('print ddl > schema.sql'))
    .action(command(() => import('./commands/print.ts'), 'printDdl'));
  print
    .command('openapi')
    .description('the interface description')
    .addHelpText('after', examplesText('print openapi > openapi.json'))
    .action(command(() => import('./commands/print.ts'), 'printOpenapi'));
  const url = () => new Option('--url <url>', 'the address of the service').makeOptionMandatory().argParser(parseUrl);
  print
    .command('contract')
    .description('a data contract by the Open Data Contract Standard 3.1')
    .addOption(url())
    .option('--customer <slug>', 'only the tables of this customer')
    .addHelpText('after', examplesText('print contract --url https://estate.example.com --customer nord > contract.odcs.yaml'))
    .action(command(() => import('./commands/print.ts'), 'printContract'));
  for (const [name, description, file, action] of connectors)
    print
      .command(name)
      .description(description)
      .addOption(url())
      .addHelpText('after', examplesText(`print ${name} --url https://estate.example.com > ${file}`))
      .action(command(() => import('./commands/print.ts'), action));

  program
    .command('completion')
    .description('print a script that completes commands, options and values in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh']))
    .addHelpText('after', examplesText('completion bash > ~/.local/share/bash-completion/completions/estate', 'completion zsh >> ~/.zshrc'))
    .action(command(() => import('./completion.ts'), 'printCompletion'));
  return program;
};
