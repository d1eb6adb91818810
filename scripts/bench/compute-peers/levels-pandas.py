"""The same levels by pandas out of the same books: bids and asks (market, t, bid, ask) and holdings (basket, market,
quantity) are read from rows of SQLite; a book counts when it has two sides that do not cross and lie at most 20 cents
apart, else the last good mark is held; marks are joined, multiplied and summed by basket and t.

    levels-pandas.py FOLDER HOURS prepare|measure

`measure` prints seconds of processor time of its whole process and the sum of all levels. Exits with 3 where pandas is
not installed.
"""
import importlib.util
import os
import sqlite3
import sys
import time

folder, hours, step = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if importlib.util.find_spec("pandas") is None:
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


def prepare():
    import pandas as pd

    books, held = read_all()
    with sqlite3.connect(path("peer.sqlite")) as connection:
        pd.DataFrame(books).to_sql("books", connection, index=False)
        pd.DataFrame(held, columns=["basket", "market", "quantity"]).to_sql("held", connection, index=False)


def measure():
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


if step == "prepare":
    prepare()
else:
    total = measure()
    print(f"{time.process_time():.9f} {total:.6f}")
