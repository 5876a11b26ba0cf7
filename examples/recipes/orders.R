# R with httr2 and jsonlite: a copy of the orders (copy), its nightly update (delta), a filtered report (report), and a year (year).
# ESTATE_URL and ESTATE_KEY say where and who. The copy is orders.rds, a list of rows and their data version.
library(httr2)
library(jsonlite)

ask <- function(path, ...) {
  request(paste0(Sys.getenv("ESTATE_URL"), path)) |>
    req_headers(`X-API-Key` = Sys.getenv("ESTATE_KEY")) |>
    req_url_query(...) |>
    req_perform()
}

# Whole numbers beyond 32 bits stay exact as numbers.
rows_of <- function(text) fromJSON(text, simplifyDataFrame = TRUE, bigint_as_char = FALSE)

copy <- function() {
  # The first request for a version builds its file. After some seconds the answer is a 202.
  repeat {
    answer <- ask("/files/orders/latest.ndjson.gz")
    if (resp_status(answer) != 202) break
    Sys.sleep(as.numeric(resp_header(answer, "Retry-After")))
  }
  lines <- readLines(gzcon(rawConnection(resp_body_raw(answer))), encoding = "UTF-8")
  rows <- rows_of(paste0("[", paste(lines, collapse = ","), "]"))
  saveRDS(list(rows = rows, version = as.integer(resp_header(answer, "X-Data-Version"))), "orders.rds")
}

delta <- function() {
  orders <- readRDS("orders.rds")
  since <- orders$version
  cursor <- ""
  while (!is.null(cursor)) {
    page <- rows_of(resp_body_string(ask("/operations/orders/deltas", since_version = since, limit = 100000L, cursor = cursor)))
    changed <- c(if (is.data.frame(page$upserts)) page$upserts$order_id, unlist(page$deletes))
    kept <- orders$rows[!(orders$rows$order_id %in% changed), ]
    orders$rows <- rbind_pages(Filter(is.data.frame, list(kept, page$upserts)))
    orders$version <- page$to_version
    cursor <- page$next_cursor
  }
  orders$rows <- orders$rows[order(orders$rows$order_id), ]
  saveRDS(orders, "orders.rds")
}

report <- function() {
  answer <- ask("/operations/orders/groups",
    where = "order_date>=2025-01-01,status:in(executed,approved)", by = "trade", count = "", sum = "total_net",
    order = "-sum_total_net", format = "csv"
  )
  write.csv(read.csv(text = resp_body_string(answer)), row.names = FALSE)
}

year <- function() {
  answer <- ask("/operations/orders",
    where = "order_date>=2025-01-01,order_date<2026-01-01",
    columns = "order_id,order_date,property.city,total_net,days:days(order_date,closed_date)", limit = 100000L, format = "csv"
  )
  write.csv(read.csv(text = resp_body_string(answer), check.names = FALSE), row.names = FALSE, na = "")
}

do.call(commandArgs(trailingOnly = TRUE)[1], list())
