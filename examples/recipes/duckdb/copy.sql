-- DuckDB: the first copy. Fetch the file of the table first. Ask again after a 202 (docs/guide/files.md).
--   curl -fsSL -H "X-API-Key: $ESTATE_KEY" -D headers "$ESTATE_URL/files/orders/latest.parquet" -o orders.parquet
--   sed -n 's/^x-data-version: \([0-9]*\).*/\1/Ip' headers > orders.version
create or replace table orders as from 'orders.parquet';
alter table orders add primary key (order_id);
create or replace table copies as select 'orders' as name, column0 as version from read_csv('orders.version', header = false);
