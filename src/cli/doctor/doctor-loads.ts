/** The loads of customers: those whose last load failed, and those whose data fails checks. And their disabled webhooks. */
import type pg from 'pg';
import { controlSchema } from '../../database/control-tables.ts';
import { qualify } from '../../database/identifier.ts';
import { type DoctorFinding, ok, warning } from './finding.ts';

/** Customers that a finding names. */
const named = 5;

const tables = qualify(controlSchema, 'table_loads');

const isThere = async (pool: pg.Pool, table: string): Promise<boolean> => {
  const { rows } = await pool.query<{ table: string | null }>('select pg_catalog.to_regclass($1) as table', [
    qualify(controlSchema, table),
  ]);
  return Boolean(rows[0]?.table);
};

const query = `select c.slug, last.error is not null as failed,
    coalesce((select sum(t.failed_checks) from ${tables} t where t.customer_id = c.id), 0)::integer as checks
  from ${qualify(controlSchema, 'customers')} c left join lateral (
    select error from ${qualify(controlSchema, 'sync_runs')} r where r.customer_id = c.id and ended_at is not null order by id desc limit 1) last on true
  order by c.slug`;

interface Row {
  readonly slug: string;
  readonly failed: boolean;
  readonly checks: number;
}

const list = (rows: readonly Pick<Row, 'slug'>[]): string =>
  rows
    .slice(0, named)
    .map(({ slug }) => slug)
    .join(', ') + (rows.length > named ? ` and ${rows.length - named} more` : '');

const webhooksQuery = `select c.slug from ${qualify(controlSchema, 'webhook_endpoints')} e
  join ${qualify(controlSchema, 'customers')} c on c.id = e.customer_id where e.disabled_at is not null group by c.slug order by c.slug`;

/** The webhooks that were disabled. Nothing before the control schema is migrated. */
export const examineWebhooks = async (pool: pg.Pool): Promise<DoctorFinding[]> => {
  if (!(await isThere(pool, 'webhook_endpoints'))) return [];
  const { rows } = await pool.query<Pick<Row, 'slug'>>(webhooksQuery);
  return [
    rows.length > 0
      ? warning(
          'webhooks',
          `disabled after a day of failures: ${list(rows)}`,
          'estate webhook list shows them; estate webhook test enables one that works.',
        )
      : ok('webhooks', 'none is disabled'),
  ];
};

/** Nothing before the control schema is migrated. */
export const examineLoads = async (pool: pg.Pool): Promise<DoctorFinding[]> => {
  if (!(await isThere(pool, 'table_loads'))) return [];
  const { rows } = await pool.query<Row>(query);
  const failed = rows.filter((row) => row.failed);
  const wrong = rows.filter((row) => row.checks > 0);
  return [
    failed.length > 0
      ? warning('loads', `the last load failed: ${list(failed)}`, 'estate sync <customer> --history shows the reason.')
      : ok('loads', 'no last load of a customer failed'),
    wrong.length > 0
      ? warning('data', `checks fail: ${list(wrong)}`, 'estate check <customer> shows them with keys.')
      : ok('data', 'no check of the data fails'),
  ];
};
