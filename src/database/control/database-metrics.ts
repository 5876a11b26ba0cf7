/**
 * Metrics that the database provides about customers' data and the nodes of a cluster. They are the same for all processes of an instance, so one process reads them.
 */
import { Gauge, Registry } from 'prom-client';
import { citusOf } from '../cluster/citus.ts';
import { type NodeState, readSizes } from '../cluster/node-health.ts';
import { addressText } from '../cluster/nodes.ts';
import type { Database } from '../connections/connection.ts';
import { controlSchema } from '../control-tables.ts';
import { qualify } from '../identifier.ts';

interface Row {
  readonly customer: string;
  /** Unix time in seconds; null before the first load. */
  readonly synced: number | null;
  readonly ended: number | null;
  readonly failed: number | null;
}

const query = `select c.slug as customer,
    extract(epoch from p.last_synced_at)::float8 as synced,
    extract(epoch from run.ended_at)::float8 as ended, (run.error is not null)::int as failed
  from ${qualify(controlSchema, 'customers')} c left join ${qualify(controlSchema, 'publications')} p on p.customer_id = c.id left join lateral (
    select ended_at, error from ${qualify(controlSchema, 'sync_runs')} r
    where r.customer_id = c.id and ended_at is not null order by id desc limit 1) run on true`;

interface TableRow {
  readonly customer: string;
  readonly table: string;
  readonly loaded: number;
  readonly rows: number;
  readonly deleted: number;
  readonly seconds: number;
  readonly failed: number;
}

const tablesQuery = `select c.slug as customer, t.table_name as table, extract(epoch from t.loaded_at)::float8 as loaded,
    t.rows::float8 as rows, t.deleted::float8 as deleted, t.seconds, t.failed_checks as failed
  from ${qualify(controlSchema, 'table_loads')} t join ${qualify(controlSchema, 'customers')} c on c.id = t.customer_id`;

interface WebhookRow {
  readonly customer: string;
  readonly waiting: number;
  readonly disabled: number;
}

const webhooksQuery = `select c.slug as customer, count(*) filter (where e.disabled_at is not null)::integer as disabled,
    sum((select count(*) from ${qualify(controlSchema, 'webhook_deliveries')} d where d.endpoint_id = e.id and d.state = 'waiting'))::integer as waiting
  from ${qualify(controlSchema, 'webhook_endpoints')} e join ${qualify(controlSchema, 'customers')} c on c.id = e.customer_id group by c.slug`;

/** The sizes of nodes in memory. Reading them takes seconds, so no scrape waits for it. */
const sizesKeptMs = 300_000;

const createNodeSizes = (database: Database) => {
  let [sizes, readAt]: [ReadonlyMap<number, number>, number] = [new Map(), Number.NEGATIVE_INFINITY];
  return (nodes: readonly NodeState[]): ReadonlyMap<number, number> => {
    if (performance.now() - readAt > sizesKeptMs) {
      readAt = performance.now();
      void readSizes(database, nodes).then((read) => {
        sizes = read;
      });
    }
    return sizes;
  };
};

/** Creates a function that reads the metrics and writes them for Prometheus. It also reports a database that does not answer. */
export const createDatabaseMetrics = (database: Database): (() => Promise<string>) => {
  const { pool } = database;
  const health = citusOf(database).health;
  const sizesOf = createNodeSizes(database);
  const registers = [new Registry()];
  const ofCustomer = (name: string, help: string) => new Gauge({ name, help, labelNames: ['customer'], registers });
  const isUp = new Gauge({ name: 'estate_database_up', help: 'Whether the database answered this scrape', registers });
  const synced = ofCustomer('estate_data_synced_timestamp_seconds', 'End of the last load of a customer that succeeded');
  const ended = ofCustomer('estate_load_ended_timestamp_seconds', 'End of the last load of a customer, whatever came of it');
  const failed = ofCustomer('estate_load_failed', 'Whether the last load of a customer failed');
  const webhookGauges = {
    waiting: ofCustomer('estate_webhook_waiting_events', 'Events that wait for their delivery to a webhook'),
    disabled: ofCustomer('estate_webhook_disabled', 'Webhooks that were disabled after a day of failures'),
  };
  const ofTable = (name: string, help: string) => new Gauge({ name, help, labelNames: ['customer', 'table'], registers });
  const tableGauges = {
    loaded: ofTable('estate_table_loaded_timestamp_seconds', 'End of the last load of a table that succeeded'),
    rows: ofTable('estate_table_rows', 'Rows of a table after its last load'),
    deleted: ofTable('estate_table_deleted_rows', 'Rows that the last load of a table deleted'),
    seconds: ofTable('estate_table_load_seconds', 'Duration of the load that last loaded a table'),
    failed: ofTable('estate_table_failed_checks', 'Checks of the data of a table that fail'),
  };
  const ofNode = (name: string, help: string) => new Gauge({ name, help, labelNames: ['node'], registers });
  const isNodeUp = ofNode('estate_node_up', 'Whether a node of Citus answers; only with Citus');
  const customers = ofNode('estate_node_customers', 'Customers on a node of Citus');
  const bytes = ofNode(
    'estate_node_bytes',
    'Size of the database on a node of Citus, read every five minutes; absent if it did not answer',
  );
  const readNodes = async () => {
    const states = (await health.read()) ?? [];
    const sizes = sizesOf(states);
    for (const state of states) {
      const node = addressText(state);
      isNodeUp.set({ node }, state.isReachable ? 1 : 0);
      customers.set({ node }, state.customers);
      const size = sizes.get(state.id);
      if (size !== undefined) bytes.set({ node }, size);
    }
  };
  return async () => {
    for (const gauge of [synced, ended, failed, isNodeUp, customers, bytes, ...Object.values(webhookGauges), ...Object.values(tableGauges)])
      gauge.reset();
    try {
      const { rows } = await pool.query<Row>(query);
      for (const row of rows)
        for (const [gauge, value] of [
          [synced, row.synced],
          [ended, row.ended],
          [failed, row.failed],
        ] as const)
          if (value !== null) gauge.set({ customer: row.customer }, value);
      const { rows: tables } = await pool.query<TableRow>(tablesQuery);
      for (const { customer, table, ...figures } of tables)
        for (const [name, value] of Object.entries(figures)) tableGauges[name as keyof typeof tableGauges].set({ customer, table }, value);
      const { rows: webhooks } = await pool.query<WebhookRow>(webhooksQuery);
      for (const { customer, waiting, disabled } of webhooks) {
        webhookGauges.waiting.set({ customer }, waiting);
        webhookGauges.disabled.set({ customer }, disabled);
      }
      await readNodes();
      isUp.set(1);
    } catch {
      isUp.set(0);
    }
    return (registers[0] as Registry).metrics();
  };
};
