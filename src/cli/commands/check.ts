/** `estate check`: the checks of a customer's data, as of the last load or run again (contract: checks of the data). */
import { catalogue } from '../../catalogue/index.ts';
import { type CheckResult, readResults } from '../../checks/results.ts';
import { maxKeys } from '../../checks/statements.ts';
import { findCustomer } from '../../database/control/customers.ts';
import { checkAgain } from '../../sync/data-checks.ts';
import { columns, report, withSession } from '../session.ts';

interface CheckOptions {
  readonly again?: true;
  readonly all?: true;
  readonly json?: boolean;
}

const shown = ({ measured: _, findings, columns: __, others: ___, ...result }: CheckResult) => ({
  ...result,
  keys: findings.flatMap(({ keys }) => keys).slice(0, maxKeys),
});

const words = (slug: string, results: readonly CheckResult[], { all }: CheckOptions): string => {
  if (results.length === 0) return `${slug}: no load was checked. To check the data now: estate check ${slug} --again`;
  const listed = results.filter(({ count }) => all || count > 0).map(shown);
  const rows = listed.map(({ severity, name, count, en, keys }) => [severity, name, count.toLocaleString('en'), en, keys.join(', ')]);
  const failed = results.filter(({ count }) => count > 0).length;
  const summary = `${slug}: ${failed} of ${results.length} checks failed.`;
  return rows.length > 0 ? `${columns(['severity', 'check', 'count', 'what', 'examples'], rows)}\n${summary}` : summary;
};

export const checkCustomer = (slug: string, options: CheckOptions): Promise<void> =>
  withSession(async ({ database }) => {
    const customer = await findCustomer(database, slug);
    const results = options.again
      ? await checkAgain(database, catalogue, customer)
      : await readResults(database.pool, customer.schema_name);
    const failing = results.filter(({ count }) => options.all || count > 0).map(shown);
    report({ customer: slug, checks: results.length, failed: failing }, options, () => words(slug, results, options));
  });
