/** The table of commands: what each is called, what it says about itself, and what runs (contract: commands). */
import { Argument, Option } from 'commander';
import { keyGroups, tiers } from '../catalogue/tiers.ts';
import { fileFormats } from '../files/formats.ts';
import { eventTypes } from '../webhooks/events.ts';
import { type CommandRow, command, group, row } from './command-row.ts';
import type { Scale } from './commands/demo.ts';
import { parseCount, parseDuration, parseEndpointGroups, parseNode, parsePast, parseSeed, parseTime, parseUrl } from './options.ts';

const scales = ['tiny', 'small', 'medium', 'large', 'bench'] as const satisfies readonly Scale[];

const option = (flags: string, text: string): Option => new Option(flags, text);
const json = option('--json', 'print one JSON document on standard output and nothing else there');
const tier = option('--tier <tier>', 'access tier').choices(tiers).makeOptionMandatory();
const customer = option('--customer <slug>', 'customer');
const ofCustomer = option('--customer <slug>', 'customer').makeOptionMandatory();
const url = option('--url <url>', 'the address of the service').makeOptionMandatory().argParser(parseUrl);

const customers = () => import('./commands/customer.ts');
const keys = () => import('./commands/key.ts');
const audit = () => import('./commands/audit.ts');
const questions = () => import('./commands/question.ts');
const webhooks = () => import('./commands/webhook.ts');
const files = () => import('./commands/files.ts');
const sources = () => import('./commands/source.ts');
const maintenance = () => import('./commands/maintenance.ts');
const prints = () => import('./commands/print.ts');

// biome-ignore format: each command is a row of the table
export const commandRows: readonly CommandRow[] = [
  row('serve', 'run the service; the embedded database is migrated and filled with demo data first', ['', '  # with DATABASE_URL, on a PostgreSQL server'],
    [], command(() => import('./commands/serve.ts'), 'serve')),
  row('migrate', "bring the control schema up to date and name what differs in customers' tables", [''],
    [json], command(maintenance, 'migrateDatabase')),
  row('doctor', 'check settings, database, rights, replicas, Redis, clocks and disk, and say what to do; changes nothing', ['', '--json'],
    [json], command(() => import('./doctor/doctor.ts'), 'examine')),
  row('restored', 'say that the data was restored from a copy of its files, which nothing else shows; ends earlier versions', [''],
    [json], command(maintenance, 'declareRestored')),
  row('nodes', 'list the nodes of Citus with their customers and bytes, and whether they answer', ['', '--json'],
    [json], command(() => import('./commands/nodes.ts'), 'listNodesWithCustomers')),
  group('customer', 'the customers', ['list', "add nord --name 'Nordlicht Wohnen GmbH' --tier enterprise"], [
    row('add <slug>', 'add a customer with empty tables', ["nord --name 'Nordlicht Wohnen GmbH' --tier enterprise", "sued --name 'Süd GmbH' --tier basic --node worker-2:5432"],
      [
        option('--name <name>', 'name in full').makeOptionMandatory(),
        tier,
        option('--node <host:port>', 'node of Citus that takes the data').argParser(parseNode),
        json,
      ], command(customers, 'addCustomerCommand')),
    row('list', 'list the customers', ['', '--json'], [json], command(customers, 'listAllCustomers')),
    row('rename <slug> <name>', 'give a customer another name; the slug stays', ["nord 'Nordlicht Wohnen SE'"],
      [json], command(customers, 'renameCustomer')),
    row('move <slug>', "move a customer's data to another node of Citus; requests are answered meanwhile, and loads of the customer wait", ['nord --node worker-2:5432'],
      [option('--node <host:port>', 'node that takes the data').makeOptionMandatory().argParser(parseNode), json], command(customers, 'moveCustomerCommand')),
    row('suspend <slug>', 'refuse all keys of a customer (403) until it is resumed; its data stays and can be loaded', ['nord'],
      [json], command(customers, 'suspendCustomer')),
    row('resume <slug>', 'let the keys of a suspended customer in again', ['nord'], [json], command(customers, 'resumeCustomer')),
    row('remove <slug>', 'remove a customer with keys, usage and data, for good; asks for its slug', ['nord', 'nord --confirm nord'],
      [option('--confirm <slug>', 'the slug once more, if there is no terminal for the question'), json], command(customers, 'removeCustomer')),
  ]),
  group('key', 'the API keys', ['list --customer nord', 'create --customer nord --tier professional', 'rotate 4k7x2m9q1w3e'], [
    row('create', 'issue a key; its text is shown once', ['--customer nord --tier professional --name reporting', '--customer nord --tier basic --groups rest,raw --expires 2027-12-31', '--customer nord --tier professional --scope-file scope.json', '--customer nord --tier basic --groups deliveries --name scheduler'],
      [
        ofCustomer,
        tier,
        option('--groups <groups>', `endpoint groups, separated by commas: ${keyGroups.join(', ')}`).argParser(parseEndpointGroups),
        option('--name <name>', 'what the key is for'),
        option('--expires <date>', 'end of its life').argParser(parseTime),
        option('--scope-file <file>', 'JSON file that limits the key to classes of personal data and to properties'),
        json,
      ], command(keys, 'createKey')),
    row('list', 'list the keys', ['--customer nord'], [customer, json], command(keys, 'listKeys')),
    row('rotate <id>', 'create a successor; the old key stays valid for a while', ['4k7x2m9q1w3e --overlap 7d', '4k7x2m9q1w3e --scope-file scope.json'],
      [
        option('--overlap <duration>', 'how long the old key lives on').argParser(parseDuration).default(parseDuration('24h')),
        option('--scope-file <file>', 'JSON file with another data scope for the successor; {} for none'),
        json,
      ], command(keys, 'rotateKey')),
    row('revoke <id>', 'revoke a key permanently', ['4k7x2m9q1w3e'], [json], command(keys, 'revokeKey')),
    row('disable <id>', 'disable a key until it is enabled again', ['4k7x2m9q1w3e'], [json], command(keys, 'disableKey')),
    row('enable <id>', 'enable a disabled key', ['4k7x2m9q1w3e'], [json], command(keys, 'enableKey')),
  ]),
  row('usage', 'show by day what keys were used for: all of them, those of a customer, or one; written once a minute', ['', '--customer nord --days 30', '--key 4k7x2m9q1w3e --json'],
    [
      customer,
      option('--key <id>', 'public id of a key'),
      option('--days <n>', 'how many days, today included').argParser(parseCount(30)).default(7),
      json,
    ], command(audit, 'showUsage')),
  row('log', 'show who did what, when and from where, newest first', ['', "--search 'revoked key' --from 2026-11-01 --limit 500"],
    [
      option('--search <text>', 'part of who, where, what or whom'),
      option('--from <time>', 'not before').argParser(parsePast),
      option('--until <time>', 'before').argParser(parsePast),
      option('--limit <n>', 'how many entries').argParser(parseCount(10_000)).default(50),
      json,
    ], command(audit, 'showLog')),
  group('question', 'the saved questions: GraphQL documents that a link asks', ['list', 'add arrears arrears.graphql --customer nord'], [
    row('add <name> <file>', 'save a GraphQL document under a name, or replace it', ['arrears arrears.graphql', 'arrears arrears.graphql --customer nord'],
      [customer, json], command(questions, 'addQuestion')),
    row('list', 'list the questions, or those that a customer can ask', ['--customer nord'], [customer, json], command(questions, 'listQuestionsCommand')),
    row('remove <name>', 'remove a question', ['arrears --customer nord'], [customer, json], command(questions, 'removeQuestion')),
  ]),
  group('webhook', 'addresses that get events: new data, failed loads, old data, keys that expire', ['list', 'add https://example.com/estate --customer nord'], [
    row('add <url>', 'add a webhook; its secret is printed once', ['https://example.com/estate --customer nord', 'https://example.com/estate --customer nord --events data.changed'],
      [ofCustomer, option('--events <events...>', 'events that it gets; all by default').choices(eventTypes), json], command(webhooks, 'addWebhook')),
    row('list', 'list the webhooks and their state', ['--customer nord'], [customer, json], command(webhooks, 'listWebhooks')),
    row('test <id>', 'send a test event; a disabled webhook that takes it is enabled again', ['we_0123456789abcdef01'],
      [json], command(webhooks, 'testWebhook')),
    row('rotate <id>', 'make another secret; the old one signs as well for a day', ['we_0123456789abcdef01'],
      [json], command(webhooks, 'rotateWebhook')),
    row('remove <id>', 'remove a webhook and what waits for it', ['we_0123456789abcdef01'], [json], command(webhooks, 'removeWebhook')),
  ]),
  group('portal', 'the portal', ['hash anna'], [
    row('hash [name]', 'ask for a password and print its hash for PORTAL_OPERATORS; the password may be piped in', ['anna', 'anna < password-file'],
      [], command(() => import('./commands/portal.ts'), 'printHash')),
  ]),
  group('files', 'manage the files of whole tables under /files', ['build nord', 'list --customer nord', 'prune'], [
    row('list', 'list the files that are built, of keys without a data scope', ['--customer nord'], [customer, json], command(files, 'listFilesCommand')),
    row('build <customer>', 'build the files of the current data that are missing, for example after a load', ['nord --again', 'nord --table orders raw/person --format parquet'],
      [
        option('--table <tables...>', 'category tables by name, raw tables as raw/name (default: all tables)'),
        option('--format <formats...>', 'formats (default: all formats)').choices(fileFormats),
        option('--again', 'only files of which an earlier version is kept'),
        json,
      ], command(files, 'buildFiles')),
    row('prune', 'remove all versions but the last three, and the files of removed customers', [''], [json], command(files, 'pruneFiles')),
  ]),
  group('source', 'describe the export of a source system in a file, and check it', ['draft deliveries/2026-11-21 > erp.yml', 'check erp.yml deliveries/2026-11-21'], [
    row('schema', 'print the JSON Schema of source files', ['> source.schema.json'], [], command(sources, 'printSourceSchema')),
    row('draft <folder>', 'look at the files of an export and print a source file with proposals and their evidence', ['deliveries/2026-11-21 > erp.yml'],
      [], command(sources, 'printDraft')),
    row('check <file> <folder>', 'read an export with a source file and show what a load would do; changes nothing', ['erp.yml deliveries/2026-11-21', 'erp.yml deliveries/2026-11-21 --customer nord'],
      [customer, json], command(sources, 'check')),
    row('keep <customer> <file>', 'keep a source file with a customer, as the newest version of its source', ['nord erp.yml'], [json], command(sources, 'keepSourceFile')),
    row('show <customer> [name] [version]', 'print a kept source', ['nord > erp.yml', 'nord erp 2'], [], command(sources, 'showKeptSource')),
    row('history <customer>', 'list the versions of the kept sources, with who kept them when', ['nord'], [json], command(sources, 'listKeptSources')),
    row('end <customer> <name>', 'end a kept source: loads do not find it any more, and its versions stay', ['nord erp'], [json], command(sources, 'endKeptSource')),
  ]),
  row('template <table>', 'print an empty CSV file of a raw table with one row as an example', ['property_hdr > property_hdr.csv'],
    [], command(sources, 'printTemplate')),
  row('demo', 'make a customer with generated data', ['--customer nord --scale small', '--customer bench --scale large --seed 7'],
    [
      ofCustomer,
      option('--scale <scale>', 'how much data').choices(scales).makeOptionMandatory(),
      option('--seed <n>', 'another seed makes other data of the same size').argParser(parseSeed).default(1),
      option('--if-missing', 'do nothing if there is a customer of that name already'),
      json,
    ], command(() => import('./commands/demo.ts'), 'makeDemo')),
  row('sync <customer> [paths...]', "load a delivery into a customer's raw tables, one file per table, and publish what it changes", ['nord deliveries/2026-11-21 --dry-run', 'nord deliveries/2026-11-21', 'nord deliveries/2026-11-21 --source erp.yml', 'nord person.csv --upsert --delete gone/person.csv', 'nord - --table person --format ndjson < person.ndjson', 'nord --history'],
    [
      option('--full', 'each file is its whole table (the default)'),
      option('--upsert', 'each file holds rows to insert or update: rows that are there need the key and the columns that change (columns that the file lacks keep their values), new rows every required column'),
      option('--delete <files...>', 'files of keys whose rows are to be deleted; with --upsert'),
      option('--source <file>', 'source file that describes the export in the folder'),
      option('--kept <name>', 'the kept source that describes it; needed if the customer has several, or if a file is named after a raw table'),
      option('--table <table>', 'the raw table of what standard input (-) holds'),
      option('--format <format>', 'format of standard input').choices(['csv', 'ndjson']).default('csv'),
      option('--dry-run', 'do everything but commit, and say what would change'),
      option('--expect <manifest>', 'compare the files with a manifest (JSON) before anything is loaded'),
      option('--archive <folder>', 'move the files of a load that is done into a new folder there'),
      option('--strict', 'refuse a folder with files or sheets that are not loaded'),
      option('--allow-deletes <tables...>', 'tables that may lose more than a fifth of their rows'),
      option('--allow-empty-columns <tables...>', 'tables of which columns may lose all values'),
      option('--accept', 'load a delivery that is held because it differs much from the last one'),
      option('--time-zone <zone>', 'the zone of times that state none, such as Europe/Berlin'),
      option('--reread', 'compare files with their tables even if they are those of the last load'),
      option('--create', "make raw tables that are unknown from their files' columns"),
      option('--key <column>', 'integer key of the tables that are made'),
      option('--tier <tier>', 'access tier of the tables that are made').choices(tiers).default('enterprise'),
      option('--history', "show the customer's loads, newest first"),
      json,
    ], command(() => import('./commands/sync.ts'), 'syncFiles')),
  row('check <customer>', 'show the failed checks of the data, as of the last load', ['nord', 'nord --again --json'],
    [option('--again', 'run all checks now'), option('--all', 'show the checks without violations, too'), json], command(() => import('./commands/check.ts'), 'checkCustomer')),
  group('print', 'print what the catalogue says', ['ddl > schema.sql', 'openapi > openapi.json', 'dlt --url https://estate.example.com > estate.py'], [
    row('ddl', "a customer's schema as SQL", ['> schema.sql'], [], command(prints, 'printDdl')),
    row('dictionary', 'every table, column and code in Markdown', ['> dictionary.md'], [], command(prints, 'printDictionary')),
    row('openapi', 'the interface description', ['> openapi.json'], [], command(prints, 'printOpenapi')),
    row('contract', 'a data contract by the Open Data Contract Standard 3.1', ['--url https://estate.example.com --customer nord > contract.odcs.yaml'],
      [url, option('--customer <slug>', 'only the tables of this customer')], command(prints, 'printContract')),
    row('dlt', 'a pipeline of dlt that copies all tables', ['--url https://estate.example.com > estate.py'], [url], command(prints, 'printDlt')),
    row('duckdb', 'a script of DuckDB with a view of each table', ['--url https://estate.example.com > estate.sql'],
      [url], command(prints, 'printDuckdb')),
  ]),
  row('completion', 'print a script that completes commands, options and values in a shell', ['bash > ~/.local/share/bash-completion/completions/estate', 'zsh >> ~/.zshrc'],
    [], command(() => import('./completion.ts'), 'printCompletion'), [new Argument('<shell>', 'the shell').choices(['bash', 'zsh'])]),
];
