/** `estate customer …` */
import { commandLine, recordAction } from '../access/audit.ts';
import { catalogue } from '../catalogue/index.ts';
import type { Tier } from '../catalogue/tiers.ts';
import { type Customer, createCustomer, listCustomers } from '../database/customers.ts';
import { columns, report, withSession } from './session.ts';

interface Options {
  readonly json?: boolean;
}

const publicPart = ({ slug, name, tier, created_at }: Customer) => ({ slug, name, tier, created_at });

export const addCustomer = (slug: string, options: Options & { name: string; tier: Tier }) =>
  withSession(async ({ database }) => {
    const customer = await createCustomer(database, catalogue, { slug, name: options.name, tier: options.tier });
    await recordAction(database.control, commandLine, 'added customer', `${slug}, tier ${options.tier}`);
    report(publicPart(customer), options, () => `Added customer ${slug} with tier ${options.tier}.`);
  });

export const listAllCustomers = (options: Options) =>
  withSession(async ({ database }) => {
    const customers = (await listCustomers(database)).map(publicPart);
    const rows = customers.map(({ slug, name, tier, created_at }) => [slug, name, tier, created_at.toISOString()]);
    report(customers, options, () => columns(['customer', 'name', 'tier', 'created'], rows));
  });
