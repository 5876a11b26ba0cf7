-- DuckDB: the nightly delta. Fetch it first, with the version from `select version from copies where name = 'orders'`:
--   curl -fsS -H "X-API-Key: $ESTATE_KEY" "$ESTATE_URL/operations/orders/deltas?since_version=$VERSION&limit=100000" -o delta.json
-- If next_cursor is not null, add &cursor=… for the next page, and keep the version.
begin;
create or replace temp table delta as
from read_json('delta.json', columns = {upserts: 'json[]', deletes: 'bigint[]', to_version: 'bigint'});
-- The rows of a delta have the columns of the copy. A column without any value has no type yet.
set variable columns = (select replace(json_group_structure(to_json(orders))::varchar, '"NULL"', '"JSON"') from orders);
delete from orders where order_id in (select unnest(deletes) from delta);
insert or replace into orders by name
select columns.* from (select from_json(row, getvariable('columns')) as columns from (select unnest(upserts) as row from delta));
update copies set version = (select to_version from delta) where name = 'orders';
commit;
