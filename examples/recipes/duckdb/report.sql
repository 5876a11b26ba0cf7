-- DuckDB: a filtered report of the copy.
select trade, count(*) as count, sum(total_net) as sum_total_net
from orders
where order_date >= '2025-01-01' and status in ('executed', 'approved')
group by trade
order by sum_total_net desc nulls last, trade nulls last;
