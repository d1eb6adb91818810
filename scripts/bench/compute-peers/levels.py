"""The same levels by DuckDB or pandas out of the same books: bids and asks (market, t, bid, ask) and holdings (basket,
market, quantity) are read from its own files; a book counts when it has two sides that do not cross and lie at most 20
cents apart, else the last good mark is held; marks are joined, multiplied and summed by basket and t.

    levels.py NAME FOLDER HOURS prepare|measure     NAME: duckdb or pandas; exit code 3 where it is not installed

`measure` prints seconds of processor time of its whole process and the sum of all levels.
"""
import importlib.util
import os
import sqlite3
import sys
import time

name, folder, hours, step = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
if importlib.util.find_spec(name) is None or importlib.util.find_spec("numpy") is None:
    sys.exit(3)
path = lambda file: os.path.join(folder, file)


def read_all():
    import numpy as np

    bid, ask = np.fromfile(path("bids.f64")), np.fromfile(path("asks.f64"))
    markets = len(bid) // hours
    market, t = np.repeat(np.arange(markets), hours), np.tile(np.arange(hours), markets)
    held, flat, basket = [], np.fromfile(path("baskets.f64")), 0
    while len(flat):
        count = int(flat[0])
        for each, quantity in zip(flat[1 : 1 + count], flat[1 + count : 1 + 2 * count]):
            held.append((basket, int(each), quantity))
        flat, basket = flat[1 + 2 * count :], basket + 1
    books = {"market": market.astype("int32"), "t": t.astype("int32"), "bid": bid, "ask": ask}
    return books, held


def duckdb_prepare():
    import duckdb

    books, held = read_all()
    with duckdb.connect(path("peer.duckdb")) as connection:
        connection.execute("CREATE TABLE books AS SELECT * FROM books")
        connection.execute("CREATE TABLE held (basket INTEGER, market INTEGER, quantity DOUBLE)")
        connection.executemany("INSERT INTO held VALUES (?, ?, ?)", held)


LEVELS = """WITH checked AS (
  SELECT market, t, CASE WHEN bid > 0 AND ask < 1 AND bid <= ask AND ask - bid <= 0.2 + 1e-9
    THEN (bid + ask) / 2 END AS mid FROM books),
marks AS (
  SELECT market, t, last_value(mid IGNORE NULLS) OVER (PARTITION BY market ORDER BY t) AS mark FROM checked)
SELECT basket, t, sum(quantity * mark) AS level FROM held JOIN marks USING (market) GROUP BY basket, t"""


def duckdb_measure():
    import duckdb

    with duckdb.connect(path("peer.duckdb"), read_only=True) as connection:
        connection.execute("SET threads = 1")
        return float(connection.execute(LEVELS).fetchnumpy()["level"].sum())


def pandas_prepare():
    import pandas as pd

    books, held = read_all()
    with sqlite3.connect(path("peer.sqlite")) as connection:
        pd.DataFrame(books).to_sql("books", connection, index=False)
        pd.DataFrame(held, columns=["basket", "market", "quantity"]).to_sql("held", connection, index=False)


def pandas_measure():
    import pandas as pd

    with sqlite3.connect(path("peer.sqlite")) as connection:
        books, holdings = (pd.read_sql(f"SELECT * FROM {table}", connection) for table in ("books", "held"))
    bid, ask = books["bid"], books["ask"]
    good = (bid > 0) & (ask < 1) & (bid <= ask) & (ask - bid <= 0.2 + 1e-9)
    books["mark"] = ((bid + ask) / 2).where(good).groupby(books["market"]).ffill()
    total = 0.0
    for _basket, names in holdings.groupby("basket"):
        joined = books.merge(names, on="market")
        joined["value"] = joined["quantity"] * joined["mark"]
        total += float(joined.groupby("t")["value"].sum().sum())
    return total


total = globals()[f"{name}_{step}"]()
if step == "measure":
    print(f"{time.process_time():.9f} {total:.6f}")
