/**
 * The first start on an embedded database loads two demo customers. It may be broken off at any moment: a file says that it has
 * begun, and every start goes on with it until it is complete.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KeyStore } from '../access/keys.ts';
import { catalogue } from '../catalogue/index.ts';
import type { Database } from '../database/connection.ts';
import { listCustomers } from '../database/customers.ts';
import { fixedKeys } from '../demo/keys.ts';
import { showProgress } from './progress.ts';

/** The journals of all years would take longer than a newcomer waits. */
const demoBookingYears = 1;

const demoCustomers = [
  { slug: 'nord', scale: 'small', seed: 1 },
  { slug: 'sued', scale: 'tiny', seed: 2 },
] as const;

interface FirstStart {
  readonly database: Database;
  readonly secret: string;
  /** The folder of the embedded database. */
  readonly folder: string;
}

/** Loads what is missing of the demo customers, if this is the first start or the first one was broken off. */
export const finishFirstStart = async ({ database, secret, folder }: FirstStart): Promise<void> => {
  const begun = join(folder, 'first-start');
  const customers = await listCustomers(database);
  if (customers.length > 0 && !existsSync(begun)) return;
  writeFileSync(begun, '');
  const { loadDemo } = await import('../demo/load.ts');
  const store = new KeyStore(database, secret);
  for (const { slug, scale, seed } of demoCustomers) {
    const customer = customers.find((known) => known.slug === slug);
    if (customer) {
      // Its rows came in one transaction, its keys after that.
      const known = new Set((await store.list(slug)).map(({ id }) => id));
      for (const [tier, key] of fixedKeys(slug)) if (!known.has(key.split('_')[1] ?? '')) await store.createFixed(customer, tier, key);
      continue;
    }
    const { progress, done } = showProgress(slug);
    await loadDemo({ database, catalogue, secret }, slug, { scale, seed, bookingYears: demoBookingYears }, progress);
    done();
  }
  rmSync(begun);
};
