/** The demo customers: `estate demo`, and those of a first start. Only this file imports `demo/`, and only when it is needed. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoKeys, fixedKeys } from '../../../demo/keys.ts';
import type { Scale } from '../../../demo/scale.ts';
import { commandLine, recordAction } from '../../access/audit.ts';
import { CustomerStore } from '../../access/customers.ts';
import { KeyStore } from '../../access/keys.ts';
import { QuestionStore } from '../../access/questions.ts';
import { catalogue } from '../../catalogue/index.ts';
import { pathOfTable } from '../../catalogue/table.ts';
import { orders } from '../../catalogue/tables/operations.ts';
import type { Database } from '../../database/connections/connection.ts';
import { listCustomers } from '../../database/control/customers.ts';
import { controlQueries, runControlQuery } from '../../database/control/datasets.ts';
import { checkQuestion } from '../../graphql/questions/check.ts';
import type { DemoKey } from '../../web/pages/demo-keys.ts';
import { showProgress } from '../progress.ts';
import { report, withSession } from '../session.ts';

export type { Scale } from '../../../demo/scale.ts';

interface DemoCommand {
  readonly customer: string;
  readonly scale: Scale;
  readonly seed: number;
  readonly ifMissing?: boolean;
  readonly json?: boolean;
}

/** Loads the generator on demand. */
const importLoad = () => import('../../../demo/load.ts');

/** Saves the questions that are missing, so that an interrupted first start can resume. */
export const saveDemoQuestions = async (database: Database, slug: string): Promise<void> => {
  const { demoQuestions } = await import('../../../demo/questions.ts');
  const store = new QuestionStore(database);
  const known = new Set((await store.list(slug)).map(({ name }) => name));
  for (const question of demoQuestions.filter(({ name }) => !known.has(name))) {
    const outcomes = checkQuestion(catalogue, question.document);
    await store.add({ ...question, outcomes }, slug);
  }
};

export const makeDemo = ({ customer: slug, scale, seed, ifMissing, ...options }: DemoCommand) =>
  withSession(async ({ database, secret }) => {
    if (ifMissing && (await listCustomers(database)).some((customer) => customer.slug === slug))
      return report({ customer: slug, made: false }, options, () => `There is a customer ${slug} already.`);
    const { loadDemo } = await importLoad();
    const { progress, done } = showProgress(slug);
    const { customer, keys } = await loadDemo({ database, catalogue, secret }, slug, { scale, seed }, progress);
    done();
    await saveDemoQuestions(database, slug);
    await recordAction(database.control, commandLine, 'made demo customer', `${slug}, scale ${scale}`);
    const hint = keys.length > 0 ? `Keys: ${keys.join(', ')}` : `Issue a key with: estate key create --customer ${slug} --tier enterprise`;
    const made = { customer: customer.slug, tier: customer.tier, scale, seed, keys, made: true };
    report(made, options, () => `Made customer ${slug}. ${hint}`);
  });

/** The data of a new embedded database, the smaller customer first. Journals of all years would take too long for a first start. */
const first = {
  sued: { scale: 'tiny', seed: 2, bookingYears: 1 },
  nord: { scale: 'small', seed: 1, bookingYears: 1 },
} as const;

const firstCustomers = ['sued', 'nord'] as const satisfies readonly (keyof typeof first)[];

interface FirstStart {
  readonly database: Database;
  readonly secret: string;
  /** The folder of the embedded database. */
  readonly folder: string;
  /** Ends the first start between two steps. */
  readonly signal?: AbortSignal;
}

const loadFirstCustomer = async ({ database, secret, signal }: FirstStart, slug: keyof typeof first): Promise<void> => {
  const { loadDemoBesideRequests } = await importLoad();
  const { progress, done } = showProgress(slug);
  await loadDemoBesideRequests({ database, catalogue, secret }, slug, first[slug], (...step) => {
    signal?.throwIfAborted();
    progress(...step);
  });
  done();
};

/** Whether all rows of a demo customer are there. Its load is recorded after them. */
const isLoaded = async (database: Database, id: number): Promise<boolean> =>
  (await runControlQuery(database.pool, controlQueries.selectFrom('sync_runs').select('id').where('customer_id', '=', id).limit(1)))
    .length > 0;

/**
 * Loads the missing demo customers of a first start, and gives each as soon as it can be read. A marker file records that it has begun. If it is
 * interrupted, the next start resumes.
 */
export async function* firstStart(start: FirstStart): AsyncGenerator<keyof typeof first> {
  const { database, secret, folder } = start;
  const begun = join(folder, 'first-start');
  const customers = await listCustomers(database);
  if (customers.length > 0 && !existsSync(begun)) return;
  writeFileSync(begun, '');
  const store = new KeyStore(database, secret);
  for (const slug of firstCustomers) {
    const customer = customers.find((known) => known.slug === slug);
    if (customer && (await isLoaded(database, customer.id))) {
      // Keys are created after the rows.
      const known = new Set((await store.list(slug)).map(({ id }) => id));
      for (const { key, ...rights } of fixedKeys(slug))
        if (!known.has(key.split('_')[1] ?? '')) await store.createFixed(customer, rights, key);
    } else {
      if (customer) await new CustomerStore(database).remove(slug);
      await loadFirstCustomer(start, slug);
    }
    await saveDemoQuestions(database, slug);
    yield slug;
  }
  rmSync(begun);
}

/** The demo keys that there are, by customer and tier; none if the demo is not loaded. */
export const demoKeysIn = async (database: Database, secret: string): Promise<readonly DemoKey[]> => {
  const store = new KeyStore(database, secret);
  const slugs = new Set((await listCustomers(database)).map(({ slug }) => slug));
  const keys: DemoKey[] = [];
  for (const slug of Object.keys(demoKeys).filter((name) => slugs.has(name))) {
    const known = new Set((await store.list(slug)).map(({ id }) => id));
    for (const { label, key } of fixedKeys(slug)) if (known.has(key.split('_')[1] ?? '')) keys.push({ name: `${slug}, ${label}`, key });
  }
  return keys;
};

/** Start-up messages with the demo keys and a first request; none if the demo is not loaded. */
export const demoLines = (address: string, keys: readonly DemoKey[]): string[] => {
  if (keys.length === 0) return [];
  return [
    `  Demo keys              ${keys.map(({ key }) => key).join(', ')}`,
    '',
    'Try:',
    `  curl -H 'X-API-Key: ${(keys.find(({ key }) => key === demoKeys.nord.professional) ?? keys[0]!).key}' '${address}${pathOfTable(orders)}?limit=2'`,
  ];
};
