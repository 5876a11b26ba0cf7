-- DuckDB: the first copy. Fetch the table first; a table of more than 100,000 rows needs the loop of examples/recipes/orders.sh.
--   curl -fsS -H "X-API-Key: $ESTATE_KEY" -D headers "$ESTATE_URL/operations/orders?limit=100000" -o orders.json
--   sed -n 's/^x-data-version: \([0-9]*\).*/\1/Ip' headers > orders.version
create or replace table orders as from read_json('orders.json', sample_size = -1);
alter table orders add primary key (order_id);
create or replace table copies as select 'orders' as name, column0 as version from read_csv('orders.version', header = false);
