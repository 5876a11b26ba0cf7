/** The command line as a list of commands (contract: commands). */
import { Command, InvalidArgumentError, Option } from 'commander';
import { type EndpointGroup, endpointGroups, tiers } from '../catalogue/tiers.ts';
import type { Scale } from './demo.ts';

/** A command's code is loaded when it runs: help and wrong usage need none of it. */
const command =
  // biome-ignore lint/suspicious/noExplicitAny: commander hands over what the command's own declaration says
    <Name extends string>(load: () => Promise<Readonly<Record<Name, (...args: any[]) => unknown>>>, name: Name) =>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    async (...args: any[]): Promise<void> => {
      await (await load())[name](...args);
    };

const scales = ['tiny', 'small', 'medium', 'large', 'bench'] as const satisfies readonly Scale[];
const json = new Option('--json', 'print one JSON document on standard output and nothing else there');
const tier = () => new Option('--tier <tier>', 'access tier').choices(tiers);
const customer = () => new Option('--customer <slug>', 'customer');

const parseGroups = (text: string): EndpointGroup[] =>
  text.split(',').map((name) => {
    const group = endpointGroups.find((known) => known === name.trim());
    if (!group) throw new InvalidArgumentError(`It is a list of ${endpointGroups.join(', ')}.`);
    return group;
  });

const parseTime = (text: string): Date => {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || time.getTime() <= Date.now())
    throw new InvalidArgumentError('It is a future date such as 2027-12-31.');
  return time;
};

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const parseDuration = (text: string): number => {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (!amount || !unit) throw new InvalidArgumentError('It is a number and a unit, such as 30m, 24h or 7d.');
  return Number(amount) * unitMs[unit as keyof typeof unitMs];
};

const parseSeed = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
};

/** The program; parsing throws a `CommanderError` on wrong usage. */
export const createProgram = (): Command => {
  const program = new Command('estate')
    .description('A multi-tenant, read-only data service over real-estate ERP data.')
    .version('1.0.0')
    .exitOverride()
    .showHelpAfterError();

  program
    .command('serve')
    .description('run the service; the embedded database is migrated and filled with demo data first')
    .action(command(() => import('./serve.ts'), 'serve'));
  program
    .command('migrate')
    .description('bring the control schema up to date')
    .addOption(json)
    .action(command(() => import('./maintenance.ts'), 'migrateDatabase'));

  program
    .command('restored')
    .description('say that the data was restored from a copy of its files, which nothing else shows; ends earlier versions')
    .addOption(json)
    .action(command(() => import('./maintenance.ts'), 'declareRestored'));

  const customers = program.command('customer').description('the customers');
  customers
    .command('add <slug>')
    .description('add a customer with empty tables')
    .requiredOption('--name <name>', 'name in full')
    .addOption(tier().makeOptionMandatory())
    .addOption(json)
    .action(command(() => import('./customer.ts'), 'addCustomer'));
  customers
    .command('list')
    .description('list the customers')
    .addOption(json)
    .action(command(() => import('./customer.ts'), 'listAllCustomers'));

  const keys = program.command('key').description('the API keys');
  keys
    .command('create')
    .description('issue a key; its text is shown once')
    .addOption(customer().makeOptionMandatory())
    .addOption(tier().makeOptionMandatory())
    .option('--groups <groups>', `endpoint groups, separated by commas: ${endpointGroups.join(', ')}`, parseGroups)
    .option('--name <name>', 'what the key is for')
    .option('--expires <date>', 'end of its life', parseTime)
    .addOption(json)
    .action(command(() => import('./key.ts'), 'createKey'));
  keys
    .command('list')
    .description('list the keys')
    .addOption(customer())
    .addOption(json)
    .action(command(() => import('./key.ts'), 'listKeys'));
  keys
    .command('rotate <id>')
    .description('issue a successor and let the old key live on for a while')
    .option('--overlap <duration>', 'how long the old key lives on', parseDuration, parseDuration('24h'))
    .addOption(json)
    .action(command(() => import('./key.ts'), 'rotateKey'));
  keys
    .command('revoke <id>')
    .description('end a key for good')
    .addOption(json)
    .action(command(() => import('./key.ts'), 'revokeKey'));

  program
    .command('demo')
    .description('make a customer with generated data')
    .addOption(customer().makeOptionMandatory())
    .addOption(new Option('--scale <scale>', 'how much data').choices(scales).makeOptionMandatory())
    .option('--seed <n>', 'another seed makes other data of the same size', parseSeed, 1)
    .option('--if-missing', 'do nothing if there is a customer of that name already')
    .addOption(json)
    .action(command(() => import('./demo.ts'), 'makeDemo'));

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
    .addOption(new Option('--table <table>', 'the raw table of what standard input (-) holds'))
    .addOption(new Option('--format <format>', 'format of standard input').choices(['csv', 'ndjson']).default('csv'))
    .addOption(new Option('--dry-run', 'say what would change and change nothing'))
    .addOption(new Option('--create', "make raw tables that are unknown from their files' columns"))
    .addOption(new Option('--key <column>', 'integer key of the tables that are made'))
    .addOption(new Option('--tier <tier>', 'access tier of the tables that are made').choices(tiers).default('enterprise'))
    .addOption(new Option('--history', "show the customer's loads, newest first"))
    .addOption(json)
    .action(command(() => import('./sync.ts'), 'syncFiles'));

  const print = program.command('print').description('print what the catalogue says');
  print
    .command('ddl')
    .description("a customer's schema as SQL")
    .action(command(() => import('./maintenance.ts'), 'printDdl'));
  print
    .command('openapi')
    .description('the interface description')
    .action(command(() => import('./maintenance.ts'), 'printOpenapi'));
  return program;
};
