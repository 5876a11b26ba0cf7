"""pandas: a copy of the orders (copy), its nightly update (delta), a filtered report (report), and a year (year).

ESTATE_URL and ESTATE_KEY say where and who. The copy is orders.pickle, a frame by order_id with its data version in attrs.
"""

import gzip
import io
import json
import os
import sys
import time
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pandas as pd


def ask(path, **query):
    address = f"{os.environ['ESTATE_URL']}{path}?{urlencode(query)}"
    return urlopen(Request(address, headers={"X-API-Key": os.environ["ESTATE_KEY"]}))


def copy():
    # The first request for a version builds its file. After some seconds the answer is a 202.
    while (answer := ask("/files/orders/latest.ndjson.gz")).status == 202:
        time.sleep(int(answer.headers["Retry-After"]))
    orders = pd.DataFrame([json.loads(line) for line in gzip.open(answer)]).set_index("order_id")
    orders.attrs["version"] = int(answer.headers["X-Data-Version"])
    orders.to_pickle("orders.pickle")


def delta():
    orders, cursor = pd.read_pickle("orders.pickle"), ""
    since = orders.attrs["version"]
    while cursor is not None:
        page = json.load(ask("/operations/orders/deltas", since_version=since, limit=100000, cursor=cursor))
        upserts = pd.DataFrame(page["upserts"], columns=["order_id", *orders.columns]).set_index("order_id")
        orders = pd.concat([orders.drop([*upserts.index, *page["deletes"]], errors="ignore"), upserts])
        cursor = page["next_cursor"]
    orders = orders.sort_index()
    orders.attrs["version"] = page["to_version"]
    orders.to_pickle("orders.pickle")


def report():
    query = {"where": "order_date>=2025-01-01,status:in(executed,approved)", "by": "trade", "count": "", "sum": "total_net"}
    answer = ask("/operations/orders/groups", **query, order="-sum_total_net", format="csv")
    print(pd.read_csv(io.BytesIO(answer.read())).to_csv(index=False), end="")


def year():
    query = {"where": "order_date>=2025-01-01,order_date<2026-01-01", "limit": 100000, "format": "csv"}
    columns = "order_id,order_date,property.city,total_net,days:days(order_date,closed_date)"
    answer = ask("/operations/orders", **query, columns=columns)
    frame = pd.read_csv(io.BytesIO(answer.read()), dtype={"days": "Int64"})
    print(frame.to_csv(index=False), end="")


{"copy": copy, "delta": delta, "report": report, "year": year}[sys.argv[1]]()
