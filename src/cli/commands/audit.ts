/** `estate log` and `estate usage`: the audit log and the usage of keys. */
import type { Command } from 'commander';
import { readLog } from '../../access/audit.ts';
import { KeyStore } from '../../access/keys.ts';
import { usageMeasures } from '../../access/usage.ts';
import { dayMs, readSeries, type UsageFilter } from '../../access/usage-report.ts';
import { findCustomer } from '../../database/control/customers.ts';
import { type CommandSession, columns, report, withSession } from '../session.ts';

interface LogOptions {
  readonly search?: string;
  readonly from?: Date;
  readonly until?: Date;
  readonly limit: number;
  readonly json?: boolean;
}

export const showLog = ({ search = '', from, until, limit, ...options }: LogOptions) =>
  withSession(async ({ database }) => {
    const entries = await readLog(database.control, { search, from, until }, { limit });
    const rows = entries.map(({ at, actor, address, action, subject }) => [at.toISOString(), actor, address ?? '', action, subject]);
    report(entries, options, () => columns(['when', 'who', 'from', 'what', 'subject'], rows));
  });

interface UsageOptions {
  readonly customer?: string;
  readonly key?: string;
  readonly days: number;
  readonly json?: boolean;
}

const whoseOf = async ({ database, secret }: CommandSession, { customer, key }: UsageOptions): Promise<UsageFilter> => ({
  ...(customer !== undefined && { customerId: (await findCustomer(database, customer)).id }),
  ...(key !== undefined && { keyId: (await new KeyStore(database, secret).find(key)).id }),
});

export const showUsage = async (options: UsageOptions, command: Command): Promise<void> => {
  if (options.customer !== undefined && options.key !== undefined) command.error('error: --customer and --key exclude each other.');
  await withSession(async (session) => {
    const steps = await readSeries(session.database.control, dayMs, options.days, await whoseOf(session, options));
    const days = steps.map(({ start, ...sums }) => ({ day: start.toISOString().slice(0, 10), ...sums }));
    const rows = days.map((day) => [day.day, ...usageMeasures.map((measure) => day[measure].toLocaleString('en'))]);
    report(days, options, () => columns(['day', ...usageMeasures], rows));
  });
};
