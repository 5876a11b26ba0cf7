-- DuckDB: the orders of a year. Fetch them first, in one request:
--   curl -fsS -H "X-API-Key: $ESTATE_KEY" -G "$ESTATE_URL/operations/orders" -d limit=100000 -d format=csv -o year.csv \
--     --data-urlencode 'where=order_date>=2025-01-01,order_date<2026-01-01' \
--     --data-urlencode 'columns=order_id,order_date,property.city,total_net,days:days(order_date,closed_date)'
from read_csv('year.csv', header = true);
