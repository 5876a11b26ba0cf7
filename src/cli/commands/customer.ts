/** `estate customer …` */
import type { Command } from 'commander';
import { CustomerStore } from '../../access/customers.ts';
import { catalogue } from '../../catalogue/index.ts';
import type { Tier } from '../../catalogue/tiers.ts';
import { filesPlaceOf } from '../../config.ts';
import { addressText, type NodeAddress } from '../../database/cluster/nodes.ts';
import { type Customer, findCustomer, listCustomers } from '../../database/control/customers.ts';
import { OperatorError } from '../../errors.ts';
import { FileStore } from '../../files/store/file-store.ts';
import { askOperator, isOnTerminal } from '../ask.ts';
import { showMove } from '../progress.ts';
import { columns, report, withSession } from '../session.ts';
import { untilStopped } from '../until-stopped.ts';

interface Options {
  readonly json?: boolean;
}

const publicPart = ({ slug, name, tier, created_at, suspended_at }: Customer) => ({ slug, name, tier, created_at, suspended_at });

export const addCustomerCommand = (slug: string, options: Options & { name: string; tier: Tier; node?: NodeAddress }) =>
  withSession(async ({ database }) => {
    const customer = await new CustomerStore(database).add(catalogue, { slug, name: options.name, tier: options.tier }, options.node);
    report(publicPart(customer), options, () => `Added customer ${slug} with tier ${options.tier}.`);
  });

/** Changes a customer and reports it. */
const changed = (options: Options, words: (customer: Customer) => string, change: (customers: CustomerStore) => Promise<Customer>) =>
  withSession(async ({ database }) => {
    const customer = await change(new CustomerStore(database));
    report(publicPart(customer), options, () => words(customer));
  });

export const renameCustomer = (slug: string, name: string, options: Options) =>
  changed(
    options,
    (customer) => `Customer ${slug} is called ${customer.name} now.`,
    (customers) => customers.rename(slug, name),
  );

export const suspendCustomer = (slug: string, options: Options) =>
  changed(
    options,
    () => `Customer ${slug} is suspended; within 5 s all its keys get 403. Its data can still be loaded.`,
    (customers) => customers.suspend(slug),
  );

export const resumeCustomer = (slug: string, options: Options) =>
  changed(
    options,
    () => `Customer ${slug} is resumed; within 5 s its keys are let in again.`,
    (customers) => customers.resume(slug),
  );

/** The copy of the rows is invisible until its end, so Ctrl-C leaves the customer where it is. */
export const moveCustomerCommand = (slug: string, options: Options & { node: NodeAddress }) =>
  withSession(({ database }) =>
    untilStopped(async (signal) => {
      const { progress, done } = showMove(slug);
      const { from, to, isMoved } = await new CustomerStore(database).move(slug, options.node, { signal, progress });
      done();
      const result = { slug, from: addressText(from), to: addressText(to), moved: isMoved };
      report(result, options, () =>
        isMoved ? `Moved customer ${slug} from ${result.from} to ${result.to}.` : `Customer ${slug} is on ${result.to} already.`,
      );
    }),
  );

/** Prompts for the slug on a terminal; elsewhere `--confirm` provides it. */
export const removeCustomer = async (slug: string, options: Options & { confirm?: string }, command: Command): Promise<void> => {
  if (options.confirm === undefined && !isOnTerminal()) command.error(`error: to remove ${slug} with all it has, add --confirm ${slug}.`);
  await withSession(async ({ config, database }) => {
    const { name, schema_name } = await findCustomer(database, slug);
    const typed =
      options.confirm ?? (await askOperator(`This removes ${name} with keys, usage and data, for good. Type ${slug} to go on: `));
    if (typed.trim() !== slug) throw new OperatorError(`That is not ${slug}; nothing was removed.`);
    await new CustomerStore(database).remove(slug);
    await new FileStore(filesPlaceOf(config)).removeCustomer(schema_name).catch(() => {
      throw new OperatorError(
        `Customer ${slug} is removed, but its files are not. Run estate files prune when their store can be reached.`,
      );
    });
    report({ slug, removed: true }, options, () => `Removed customer ${slug} with keys and data.`);
  });
};

export const listAllCustomers = (options: Options) =>
  withSession(async ({ database }) => {
    const customers = (await listCustomers(database)).map(publicPart);
    const rows = customers.map(({ slug, name, tier, created_at, suspended_at }) => [
      slug,
      name,
      tier,
      created_at.toISOString(),
      suspended_at?.toISOString() ?? '',
    ]);
    report(customers, options, () => columns(['customer', 'name', 'tier', 'created', 'suspended'], rows));
  });
