/** `estate demo` */
import { catalogue } from '../catalogue/index.ts';
import { listCustomers } from '../database/customers.ts';
import { loadDemo } from '../demo/load.ts';
import type { Scale } from '../demo/scale.ts';
import { showProgress } from './progress.ts';
import { report, withSession } from './session.ts';

interface DemoCommand {
  readonly customer: string;
  readonly scale: Scale;
  readonly seed: number;
  readonly ifMissing?: boolean;
  readonly json?: boolean;
}

export const makeDemo = ({ customer: slug, scale, seed, ifMissing, ...options }: DemoCommand) =>
  withSession(async ({ database, secret }) => {
    if (ifMissing && (await listCustomers(database)).some((customer) => customer.slug === slug))
      return report({ customer: slug, made: false }, options, () => `There is a customer ${slug} already.`);
    const { progress, done } = showProgress(slug);
    const { customer, keys } = await loadDemo({ database, catalogue, secret }, slug, { scale, seed }, progress);
    done();
    const hint = keys.length > 0 ? `Keys: ${keys.join(', ')}` : `Issue a key with: estate key create --customer ${slug} --tier enterprise`;
    const made = { customer: customer.slug, tier: customer.tier, scale, seed, keys, made: true };
    report(made, options, () => `Made customer ${slug}. ${hint}`);
  });
