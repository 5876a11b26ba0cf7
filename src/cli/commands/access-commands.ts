/** The commands for customers, keys, operators and the audit log. */
import { type Command, Option } from 'commander';
import { endpointGroups } from '../../catalogue/tiers.ts';
import { eventTypes } from '../../webhooks/events.ts';
import {
  command,
  customer,
  examplesText,
  jsonOption,
  parseCount,
  parseDuration,
  parseEndpointGroups,
  parseNode,
  parsePast,
  parseTime,
  tier,
} from '../options.ts';

export const addAccessCommands = (program: Command): void => {
  const customers = program
    .command('customer')
    .description('the customers')
    .addHelpText('after', examplesText('customer list', "customer add nord --name 'Nordlicht Wohnen GmbH' --tier enterprise"));
  customers
    .command('add <slug>')
    .description('add a customer with empty tables')
    .requiredOption('--name <name>', 'name in full')
    .addOption(tier().makeOptionMandatory())
    .option('--node <host:port>', 'node of Citus that takes the data', parseNode)
    .addOption(jsonOption)
    .addHelpText(
      'after',
      examplesText(
        "customer add nord --name 'Nordlicht Wohnen GmbH' --tier enterprise",
        "customer add sued --name 'Süd GmbH' --tier basic --node worker-2:5432",
      ),
    )
    .action(command(() => import('./customer.ts'), 'addCustomer'));
  customers
    .command('list')
    .description('list the customers')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('customer list', 'customer list --json'))
    .action(command(() => import('./customer.ts'), 'listAllCustomers'));
  customers
    .command('rename <slug> <name>')
    .description('give a customer another name; the slug stays')
    .addOption(jsonOption)
    .addHelpText('after', examplesText("customer rename nord 'Nordlicht Wohnen SE'"))
    .action(command(() => import('./customer.ts'), 'renameCustomer'));
  customers
    .command('move <slug>')
    .description("move a customer's data to another node of Citus; requests are answered meanwhile, and loads of the customer wait")
    .requiredOption('--node <host:port>', 'node that takes the data', parseNode)
    .addOption(jsonOption)
    .addHelpText('after', examplesText('customer move nord --node worker-2:5432'))
    .action(command(() => import('./customer.ts'), 'moveCustomer'));
  customers
    .command('suspend <slug>')
    .description('refuse all keys of a customer (403) until it is resumed; its data stays and can be loaded')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('customer suspend nord'))
    .action(command(() => import('./customer.ts'), 'suspendCustomer'));
  customers
    .command('resume <slug>')
    .description('let the keys of a suspended customer in again')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('customer resume nord'))
    .action(command(() => import('./customer.ts'), 'resumeCustomer'));
  customers
    .command('remove <slug>')
    .description('remove a customer with keys, usage and data, for good; asks for its slug')
    .option('--confirm <slug>', 'the slug once more, if there is no terminal for the question')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('customer remove nord', 'customer remove nord --confirm nord'))
    .action(command(() => import('./customer.ts'), 'removeCustomer'));

  const keys = program
    .command('key')
    .description('the API keys')
    .addHelpText(
      'after',
      examplesText('key list --customer nord', 'key create --customer nord --tier professional', 'key rotate 4k7x2m9q1w3e'),
    );
  keys
    .command('create')
    .description('issue a key; its text is shown once')
    .addOption(customer().makeOptionMandatory())
    .addOption(tier().makeOptionMandatory())
    .option('--groups <groups>', `endpoint groups, separated by commas: ${endpointGroups.join(', ')}`, parseEndpointGroups)
    .option('--name <name>', 'what the key is for')
    .option('--expires <date>', 'end of its life', parseTime)
    .option('--scope-file <file>', 'JSON file that limits the key to classes of personal data and to properties')
    .addOption(jsonOption)
    .addHelpText(
      'after',
      examplesText(
        'key create --customer nord --tier professional --name reporting',
        'key create --customer nord --tier basic --groups rest,raw --expires 2027-12-31',
        'key create --customer nord --tier professional --scope-file scope.json',
      ),
    )
    .action(command(() => import('./key.ts'), 'createKey'));
  keys
    .command('list')
    .description('list the keys')
    .addOption(customer())
    .addOption(jsonOption)
    .addHelpText('after', examplesText('key list --customer nord'))
    .action(command(() => import('./key.ts'), 'listKeys'));
  keys
    .command('rotate <id>')
    .description('create a successor; the old key stays valid for a while')
    .option('--overlap <duration>', 'how long the old key lives on', parseDuration, parseDuration('24h'))
    .option('--scope-file <file>', 'JSON file with another data scope for the successor; {} for none')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('key rotate 4k7x2m9q1w3e --overlap 7d', 'key rotate 4k7x2m9q1w3e --scope-file scope.json'))
    .action(command(() => import('./key.ts'), 'rotateKey'));
  keys
    .command('revoke <id>')
    .description('revoke a key permanently')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('key revoke 4k7x2m9q1w3e'))
    .action(command(() => import('./key.ts'), 'revokeKey'));
  keys
    .command('disable <id>')
    .description('disable a key until it is enabled again')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('key disable 4k7x2m9q1w3e'))
    .action(command(() => import('./key.ts'), 'disableKey'));
  keys
    .command('enable <id>')
    .description('enable a disabled key')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('key enable 4k7x2m9q1w3e'))
    .action(command(() => import('./key.ts'), 'enableKey'));

  program
    .command('usage')
    .description('show by day what keys were used for: all of them, those of a customer, or one; written once a minute')
    .addOption(customer())
    .option('--key <id>', 'public id of a key')
    .option('--days <n>', 'how many days, today included', parseCount(30), 7)
    .addOption(jsonOption)
    .addHelpText('after', examplesText('usage', 'usage --customer nord --days 30', 'usage --key 4k7x2m9q1w3e --json'))
    .action(command(() => import('./audit.ts'), 'showUsage'));
  program
    .command('log')
    .description('show who did what, when and from where, newest first')
    .option('--search <text>', 'part of who, where, what or whom')
    .option('--from <time>', 'not before', parsePast)
    .option('--until <time>', 'before', parsePast)
    .option('--limit <n>', 'how many entries', parseCount(10_000), 50)
    .addOption(jsonOption)
    .addHelpText('after', examplesText('log', "log --search 'revoked key' --from 2026-11-01 --limit 500"))
    .action(command(() => import('./audit.ts'), 'showLog'));

  const questions = program
    .command('question')
    .description('the saved questions: GraphQL documents that a link asks')
    .addHelpText('after', examplesText('question list', 'question add arrears arrears.graphql --customer nord'));
  questions
    .command('add <name> <file>')
    .description('save a GraphQL document under a name, or replace it')
    .addOption(customer())
    .addOption(jsonOption)
    .addHelpText('after', examplesText('question add arrears arrears.graphql', 'question add arrears arrears.graphql --customer nord'))
    .action(command(() => import('./question.ts'), 'addQuestion'));
  questions
    .command('list')
    .description('list the questions, or those that a customer can ask')
    .addOption(customer())
    .addOption(jsonOption)
    .addHelpText('after', examplesText('question list --customer nord'))
    .action(command(() => import('./question.ts'), 'listQuestions'));
  questions
    .command('remove <name>')
    .description('remove a question')
    .addOption(customer())
    .addOption(jsonOption)
    .addHelpText('after', examplesText('question remove arrears --customer nord'))
    .action(command(() => import('./question.ts'), 'removeQuestion'));

  const webhooks = program
    .command('webhook')
    .description('addresses that get events: new data, failed loads, old data, keys that expire')
    .addHelpText('after', examplesText('webhook list', 'webhook add https://example.com/estate --customer nord'));
  webhooks
    .command('add <url>')
    .description('add a webhook; its secret is printed once')
    .addOption(customer().makeOptionMandatory())
    .addOption(new Option('--events <events...>', 'events that it gets; all by default').choices(eventTypes))
    .addOption(jsonOption)
    .addHelpText(
      'after',
      examplesText(
        'webhook add https://example.com/estate --customer nord',
        'webhook add https://example.com/estate --customer nord --events data.changed',
      ),
    )
    .action(command(() => import('./webhook.ts'), 'addWebhook'));
  webhooks
    .command('list')
    .description('list the webhooks and their state')
    .addOption(customer())
    .addOption(jsonOption)
    .addHelpText('after', examplesText('webhook list --customer nord'))
    .action(command(() => import('./webhook.ts'), 'listWebhooks'));
  webhooks
    .command('test <id>')
    .description('send a test event; a disabled webhook that takes it is enabled again')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('webhook test we_0123456789abcdef01'))
    .action(command(() => import('./webhook.ts'), 'testWebhook'));
  webhooks
    .command('rotate <id>')
    .description('make another secret; the old one signs as well for a day')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('webhook rotate we_0123456789abcdef01'))
    .action(command(() => import('./webhook.ts'), 'rotateWebhook'));
  webhooks
    .command('remove <id>')
    .description('remove a webhook and what waits for it')
    .addOption(jsonOption)
    .addHelpText('after', examplesText('webhook remove we_0123456789abcdef01'))
    .action(command(() => import('./webhook.ts'), 'removeWebhook'));

  const portal = program.command('portal').description('the portal').addHelpText('after', examplesText('portal hash anna'));
  portal
    .command('hash [name]')
    .description('ask for a password and print its hash for PORTAL_OPERATORS; the password may be piped in')
    .addHelpText('after', examplesText('portal hash anna', 'portal hash anna < password-file'))
    .action(command(() => import('./portal.ts'), 'printHash'));
};
