"""Recalculates every print and close of a store from its raw facts and compares. Written from the specification and
data/methodology.md; standard library only; shares no code with the product.

    python3 season.py STORE... [--tickers A,B] [--answers FILE]    exit code 1 where something differs

A STORE was calculated by one run. FILE holds what the product answers: correlations and stats.
"""

import argparse
import sys
from datetime import datetime
from decimal import Decimal

from answers import compare_answers
from facts import Facts, instant, numbers
from indices import EASTERN, Basket, Gauge, TotalReturn
from rates import Rate
from teams import Team

FAMILIES = {"basket": Basket, "composite": Basket, "gauge": Gauge, "total_return": TotalReturn, "nti": Team}
TOLERANCE = Decimal("1e-9")


class Comparison:
    def __init__(self):
        self.counts, self.differences = {}, []

    def number(self, what, where, ours, theirs):
        """Equal to 1e-9, of the number itself where it is above 1."""
        self.counts[what] = self.counts.get(what, 0) + 1
        ours, theirs = Decimal(ours), Decimal(theirs)
        if abs(ours - theirs) > TOLERANCE * max(Decimal(1), abs(ours)):
            self.differences.append(f"{where}: {what} is {theirs}, the facts give {ours}")

    def same(self, what, where, ours, theirs):
        self.counts[what] = self.counts.get(what, 0) + 1
        if ours != theirs:
            self.differences.append(f"{where}: {what} is {theirs}, the facts give {ours}")


def instants_of(first, minutes, now):
    """The base, each whole step of the interval after it, and the instant of the run."""
    step = minutes * 60_000
    times = [first, *range((first // step + 1) * step, now + 1, step)]
    return times if times[-1] == now else [*times, now]


def receipt(names, keys, blob):
    """{market: weight} of a print: the fifth column of its receipt, each with its length before it."""
    columns, place = [], 0
    while place < len(blob):
        length = int.from_bytes(blob[place : place + 4], "little")
        columns.append(blob[place + 4 : place + 4 + length])
        place += 4 + length
    markets = [names[key] for key in numbers("I", keys)]
    return dict(zip(markets, map(Decimal, numbers("d", columns[4]))))


def closes(times):
    """The last print of each calendar day of the US East."""
    return {datetime.fromtimestamp(at / 1000, EASTERN).date().isoformat(): at for at in sorted(times)}


def compare_closes(facts, compared, kind, ticker, times):
    sql = "SELECT day, at FROM daily_closes WHERE kind = ? AND ticker = ?"
    recorded = {row["day"]: row["at"] for row in facts.sql.execute(sql, [kind, ticker])}
    for day, at in closes(times).items():
        compared.same("close", f"{ticker} {day}", at, recorded.pop(day, None))
    for day in recorded:
        compared.same("close", f"{ticker} {day}", None, recorded[day])


def compare_rate(facts, compared, ticker, ours, revision=0):
    sql = "SELECT * FROM rate_prints WHERE ticker = ? AND revision = ? ORDER BY at"
    rows = facts.sql.execute(sql, [ticker, revision]).fetchall()
    compared.same("instants of prints", ticker, sorted(ours), [row["at"] for row in rows])
    sources = [each["market_id"] for each in facts.definitions["rate"][ticker]["sources"]]
    for row in rows:
        if row["at"] not in ours:
            continue
        price, spread, weights = ours[row["at"]]
        where = f"{ticker} {row['at']}"
        compared.number("price", where, price, row["price"])
        compared.number("spread", where, spread, row["spread"])
        recorded = receipt(facts.names, row["market_keys"], row["receipt"])
        for name, weight in zip(sources, weights):
            if weight is not None:
                compared.number("weight of a source", f"{where} {name}", weight, recorded[name])


def compare_index(facts, compared, ticker, ours):
    rows = facts.sql.execute(
        """SELECT p.*, market_keys, receipt FROM index_prints p JOIN holdings USING (holding_id)
           JOIN index_receipts USING (print_id) WHERE p.ticker = ? ORDER BY at""",
        [ticker],
    ).fetchall()
    compared.same("instants of prints", ticker, sorted(ours), [row["at"] for row in rows])
    for row in rows:
        if row["at"] not in ours:
            continue
        print_, where = ours[row["at"]], f"{ticker} {row['at']}"
        for field in ("level", "coverage", "divisor"):
            compared.number(field, where, print_[field], row[field])
        recorded = receipt(facts.names, row["market_keys"], row["receipt"])
        for name, weight in print_["weights"].items():
            compared.number("weight of a name", f"{where} {name}", weight, recorded.get(name, Decimal(0)))
        for name in recorded.keys() - print_["weights"].keys():
            compared.number("weight of a name", f"{where} {name}", Decimal(0), recorded[name])


def in_order(indices):
    """An index after those that it is made of."""
    done = {}
    def place(ticker):
        if ticker in done or ticker not in indices:
            return
        for each in indices[ticker]["constituents"]:
            if each["market_id"].startswith("index:"):
                place(each["market_id"][6:])
        done[ticker] = indices[ticker]
    for ticker in indices:
        place(ticker)
    return done


def compare_store(path, compared, wanted, answers):
    facts = Facts(path)
    (now,) = facts.now
    printed = {"rate": {}, "index": {}}
    for ticker, definition in facts.definitions["rate"].items():
        if wanted and ticker not in wanted:
            continue
        times = instants_of(instant(definition["start_at"]), definition["interval_minutes"], now)
        rate = Rate(facts, definition, times)
        ours = rate.prints()
        compare_rate(facts, compared, ticker, ours)
        compare_rate(facts, compared, ticker, rate.revised, revision=1)
        compare_closes(facts, compared, "rate", ticker, ours)
        printed["rate"][ticker] = {**ours, **rate.revised}
    for ticker, definition in in_order(facts.definitions["index"]).items():
        if wanted and ticker not in wanted:
            continue
        times = instants_of(instant(definition["base_at"]), definition["interval_minutes"], now)
        ours = FAMILIES[definition["methodology"]](facts, definition, times, printed["index"]).prints()
        printed["index"][ticker] = ours
        compare_index(facts, compared, ticker, ours)
        compare_closes(facts, compared, "index", ticker, ours)
    if answers:
        compare_answers(compared, printed, now, answers)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stores", nargs="+")
    parser.add_argument("--tickers", default="")
    parser.add_argument("--answers")
    asked = parser.parse_args()
    compared = Comparison()
    for store in asked.stores:
        if compared.differences:
            break
        compare_store(store, compared, set(filter(None, asked.tickers.split(","))), asked.answers)
    for what, count in compared.counts.items():
        print(f"{what:24} {count:>9,}")
    print(f"{'compared':24} {sum(compared.counts.values()):>9,}  {len(compared.differences)} differ")
    firsts = {difference.split()[0]: difference for difference in reversed(compared.differences)}
    for difference in firsts.values():
        print(f"  {difference[:400]}", file=sys.stderr)
    return 1 if compared.differences else 0


if __name__ == "__main__":
    sys.exit(main())
