"""The same levels by DuckDB or pandas, with load: prices (market, t, price) and holdings (basket, market, quantity)
are read from files, joined, multiplied and summed by basket and t. Prints seconds of processor time and the sum of all levels.

    levels.py NAME FOLDER HOURS     NAME: duckdb or pandas; exit code 3 where it is not installed
"""
import importlib.util
import os
import sys
import time

name, folder, hours = sys.argv[1], sys.argv[2], int(sys.argv[3])
if importlib.util.find_spec(name) is None or importlib.util.find_spec("numpy") is None:
    sys.exit(3)
import numpy as np

path = lambda file: os.path.join(folder, file)
prices = np.fromfile(path("prices.f64")).reshape(-1, hours)
long = np.column_stack([np.repeat(np.arange(len(prices)), hours), np.tile(np.arange(hours), len(prices))])
held, flat, basket = [], np.fromfile(path("baskets.f64")), 0
while len(flat):
    count = int(flat[0])
    for market, quantity in zip(flat[1 : 1 + count], flat[1 + count : 1 + 2 * count]):
        held.append((basket, int(market), quantity))
    flat, basket = flat[1 + 2 * count :], basket + 1

if name == "duckdb":
    import duckdb

    file = path("peer.duckdb")
    source = {"market": long[:, 0].astype("int32"), "t": long[:, 1].astype("int32"), "price": prices.ravel()}
    with duckdb.connect(file) as connection:
        connection.execute("CREATE TABLE prices AS SELECT * FROM source")
        connection.execute("CREATE TABLE held (basket INTEGER, market INTEGER, quantity DOUBLE)")
        connection.executemany("INSERT INTO held VALUES (?, ?, ?)", held)
    started = time.process_time()
    with duckdb.connect(file, read_only=True) as connection:
        connection.execute("SET threads = 1")
        rows = connection.execute(
            "SELECT basket, t, sum(quantity * price) AS level FROM held JOIN prices USING (market) GROUP BY basket, t"
        ).fetchnumpy()
    seconds, total = time.process_time() - started, float(rows["level"].sum())
else:
    import pandas as pd

    frame = pd.DataFrame({"market": long[:, 0], "t": long[:, 1], "price": prices.ravel()})
    frame.to_pickle(path("prices.pickle"))
    pd.DataFrame(held, columns=["basket", "market", "quantity"]).to_pickle(path("held.pickle"))
    del frame
    started = time.process_time()
    total = 0.0
    frame, holdings = pd.read_pickle(path("prices.pickle")), pd.read_pickle(path("held.pickle"))
    for _basket, names in holdings.groupby("basket"):
        joined = frame.merge(names, on="market")
        joined["value"] = joined["quantity"] * joined["price"]
        total += float(joined.groupby("t")["value"].sum().sum())
    seconds = time.process_time() - started
print(f"{seconds:.9f} {total:.6f}")
