/** The start time of the service by number of customers. */
import { memoryOf } from '../../scripts/support/process.ts';
import { type Figure, megabytes, seconds, sql, withCustomer, withService } from './estate.ts';

const counts = [1_000, 10_000];

/** Copies of the existing customer, without indexes on category tables. Each is created in its own transaction. */
export const copyCustomers = (from: number, to: number): string => `do $$
declare
  added estate.customers;
  dataset text;
begin
  for n in ${from}..${to} loop
    insert into estate.customers (slug, name, tier, schema_name)
      values ('c' || n, 'Customer ' || n, 'enterprise', 'customer_c' || n) returning * into added;
    execute format('create schema %I', added.schema_name);
    foreach dataset in array array['_state', '_datasets', '_dataset_versions', '_changed_keys', '_deliveries'] loop
      execute format('create table %I.%I (like customer_bench.%I including all)', added.schema_name, dataset, dataset);
    end loop;
    execute format('insert into %I._state (epoch) select id from estate.epoch', added.schema_name);
    execute format('insert into %I._datasets (id, kind, name, key_column, tier, version, row_count, synced_at)
      select id, kind, name, key_column, tier, 1, 0, now() from customer_bench._datasets', added.schema_name);
    for dataset in select d.name from customer_bench._datasets d where d.kind = 'category' loop
      execute format('create table %I.%I (like customer_bench.%I)', added.schema_name, dataset, dataset);
    end loop;
    commit;
  end loop;
end $$`;

export const measure = ({ max }: { readonly max: number }): Promise<Figure[]> =>
  withCustomer(async (location, url) => {
    const figures: Figure[] = [];
    let there = 1;
    for (const count of new Set(counts.map((each) => Math.min(each, max)))) {
      await sql(url, copyCustomers(there + 1, count));
      there = count;
      const begun = performance.now();
      const [time, memory] = await withService(
        location,
        async ({ process }) => [performance.now() - begun, memoryOf(process.pid, 'VmHWM')] as const,
      );
      figures.push([`start with ${count.toLocaleString('en')} customers`, `${seconds(time / 1000)}, peak ${megabytes(memory)}`]);
    }
    return figures;
  });
