"""Comparing prints with those that a store holds."""

import json
from bisect import bisect_right
from collections import Counter
from datetime import datetime
from decimal import Decimal

from facts import column, exact, numbers
from indices import before_link
from weights import EASTERN

TOLERANCE = 1e-9
NOISE = Decimal("1e-12")
# Codes of a receipt, counted from 1; 0 is absent.
STATES = [None, "included", "excluded", "unpriced", "settled", "departed", "consulted"]
BASES = [None, "mid", "last", "bid", "ask", "floor", "settlement", "held", "print", "stated"]
REASONS = [None, "disputed", "halted", "no_book", "stale_quote", "crossed_book", "one_sided_book", "wide_spread"]


class Comparison:
    """Counts what was compared: by figure, and by the methodology that it is a figure of."""

    def __init__(self):
        self.figures, self.methods, self.differences, self.method = Counter(), Counter(), [], ""

    def count(self, what):
        self.figures[what] += 1
        self.methods[self.method] += 1

    def number(self, what, where, ours, theirs):
        """Equal to 1e-9, of the number itself where it is above 1; both absent is equal too."""
        self.count(what)
        if ours is None or theirs is None:
            equal = ours is None and theirs is None
        else:
            own = float(ours)
            equal = abs(own - float(theirs)) <= TOLERANCE * max(1.0, abs(own))
        if not equal:
            self.differ(what, where, ours, theirs)

    def written(self, what, where, ours, theirs, places):
        """Equal to a number that was written with so many decimals."""
        self.count(what)
        half = Decimal(10) ** -places / 2
        if (ours is None) != (theirs is None) or ours is not None and abs(ours - exact(theirs)) > half + NOISE * max(1, abs(ours)):
            self.differ(what, where, ours, theirs)

    def same(self, what, where, ours, theirs):
        self.count(what)
        if ours != theirs:
            self.differ(what, where, ours, theirs)

    def differ(self, what, where, ours, theirs):
        self.differences.append(f"{where}: {what} is {theirs}, the facts give {ours}")


class Prints(dict):
    """What was printed, by instant, the newest revision of each."""

    def __init__(self, prints):
        super().__init__(prints)
        self.instants = sorted(prints)

    def newest(self, at):
        """The instant of the last print at or before another."""
        i = bisect_right(self.instants, at) - 1
        return self.instants[i] if i >= 0 else None


def eastern_day(at):
    return datetime.fromtimestamp(at / 1000, EASTERN).date()


MARK, NO_ASK, EXACT = b"\xff" * 4, 0xFFFF, 0xFFFE


def quotes(blob, count):
    """[(price, spread)]: a bid and an ask in hundredths of a cent; or a price alone; or both as doubles behind them."""
    pairs = numbers("H", blob[: 4 * count])
    doubles = iter([exact(value) for value in numbers("d", blob[4 * count :])])
    for bid, ask in zip(pairs[::2], pairs[1::2]):
        if ask == EXACT:
            yield next(doubles), next(doubles)
        elif ask == NO_ASK:
            yield None if bid == NO_ASK else Decimal(bid) / 10000, None
        else:
            yield Decimal(bid + ask) / 20000, Decimal(ask - bid) / 10000


def ages(blob, count):
    """Milliseconds, all bits for none; or doubles."""
    if len(blob) == 8 * count:
        return column(blob, count)
    return [None if age == 0xFFFFFFFF else age for age in numbers("I", blob)]


def receipt(facts, row):
    """{name: what a print says of it}; a column has its length before it, and may hold one value for all names."""
    columns, blob = [], row["receipt"]
    place = 4 if blob[:4] == MARK else 0
    while place < len(blob):
        length = int.from_bytes(blob[place : place + 4], "little")
        columns.append(blob[place + 4 : place + 4 + length])
        place += 4 + length
    names = []
    for name in (facts.names[key] for key in numbers("I", row["market_keys"])):
        # The second line of a name is as it was held before it was linked.
        names.append(before_link(name) if name in names else name)
    count = len(names)
    for_all = lambda values: values * count if len(values) == 1 else values
    codes = columns[0] * count if len(columns[0]) == 3 else columns[0]
    if blob[:4] == MARK:
        columns += [b""] * (6 - len(columns))
        price, spread = zip(*quotes(columns[1], count)) if names else ((), ())
        age = for_all(ages(columns[2], count))
        weight = for_all([exact(value) for value in numbers("d", columns[3])])
        volume, outliers = column(columns[4], count), columns[5]
    else:
        columns += [b""] * (7 - len(columns))
        price, spread, age, weight, volume = (column(each, count) for each in columns[1:6])
        outliers = columns[6]
    return {
        name: {
            "state": STATES[codes[3 * i]],
            "basis": BASES[codes[3 * i + 1]],
            "reason": REASONS[codes[3 * i + 2]],
            "price": price[i],
            "spread": spread[i],
            "observed": None if age[i] is None else row["at"] - int(age[i]),
            "weight": weight[i],
            "volume": volume[i],
            "outlier": bool(outliers) and outliers[i] == 1,
        }
        for i, name in enumerate(names)
    }


def compare_closes(facts, compared, kind, ticker, times):
    sql = "SELECT day, at FROM daily_closes WHERE kind = ? AND ticker = ?"
    recorded = {row["day"]: row["at"] for row in facts.sql.execute(sql, [kind, ticker])}
    for day, at in {eastern_day(at).isoformat(): at for at in sorted(times)}.items():
        compared.same("close", f"{ticker} {day}", at, recorded.pop(day, None))
    for day in recorded:
        compared.same("close", f"{ticker} {day}", None, recorded[day])


def differs(before, after):
    """Whether any figure differs by more than a division rounds."""
    if isinstance(before, dict):
        return before.keys() != after.keys() or any(differs(before[key], after[key]) for key in before)
    if isinstance(before, tuple):
        return len(before) != len(after) or any(map(differs, before, after))
    if before is None or after is None or isinstance(before, str):
        return before != after
    return abs(before - after) > NOISE * max(1, abs(before))


class Told:
    """The prints of a store, oldest revision first, without those that repeat the one before but for its last digits: a
    series that goes another way to the same level gives one that is not the same to the last digit."""

    def __init__(self, facts, kind, ticker):
        rows = facts.sql.execute(PRINTS[kind], [ticker]).fetchall()
        self.prints, self.places, said = {}, {}, {}
        for row in rows:
            at, now = row["at"], what(facts, kind, row)
            if at in said and not differs(said[at], now):
                continue
            said[at] = now
            # An instant that was added has no first print.
            place = (at, 1 + max((n for then, n in self.prints if then == at), default=min(row["revision"], 1) - 1))
            self.prints[place], self.places[at, row["revision"]] = row, place


PRINTS = {
    "rate": "SELECT * FROM rate_prints WHERE ticker = ? ORDER BY at, revision",
    "index": """SELECT p.*, market_keys, quantities, receipt FROM index_prints p JOIN holdings USING (holding_id)
        JOIN index_receipts USING (print_id) WHERE p.ticker = ? ORDER BY at, revision""",
}


def what(facts, kind, row):
    """What a print says, with the quantities of the names that are still held."""
    lines = {name: tuple(line.values()) for name, line in receipt(facts, row).items()}
    if kind == "rate":
        return {"price": exact(row["price"]), "spread": exact(row["spread"]), "lines": lines}
    held = zip(lines.items(), numbers("d", row["quantities"]))
    quantities = {name: exact(quantity) for (name, line), quantity in held if line[0] in ("included", "excluded")}
    figures = {field: exact(row[field]) for field in ("level", "divisor", "cash", "coverage")}
    return {**figures, "lines": lines, "quantities": quantities}


def compare_restatements(facts, compared, kind, ticker, ours, told):
    """What was restated: when, which revision that is, from which value to which, why, and when that was recorded."""
    sql = "SELECT * FROM restatements WHERE kind = ? AND ticker = ?"
    rows = {(row["at"], row["revision"]): row for row in facts.sql.execute(sql, [kind, ticker])}
    rows = {told.places[place]: row for place, row in rows.items() if place in told.places}
    known = {(at, revision): rest for at, revision, *rest in ours}
    compared.same("restated prints", ticker, sorted(known), sorted(rows))
    for place in known.keys() & rows.keys():
        (old, new, reasons, recorded), row, where = known[place], rows[place], f"{ticker} {place}"
        compared.number("value before a restatement", where, old, row["old_value"])
        compared.number("value after a restatement", where, new, row["new_value"])
        compared.same(f"restated: {row['reason']}", where, True, row["reason"] in reasons)
        compared.same("instant of a restatement", where, recorded, row["recorded_at"])


def revisions_of(compared, ticker, ours, told):
    """Rows of a store, each with the print that it should be."""
    places = sorted((at, revision) for at, each in ours.items() for revision in range(len(each)) if each[revision])
    compared.same("instants of prints", ticker, places, sorted(told.prints))
    return [(row, ours[at][revision]) for (at, revision), row in told.prints.items() if (at, revision) in places]


def compare_rate(facts, compared, ticker, ours, told, traded):
    for row, print_ in revisions_of(compared, ticker, ours, told):
        where = f"{ticker} {row['at']}"
        by_trades = row["at"] in traded
        what = "restated price" if row["revision"] else "price by trades" if by_trades else "price"
        compared.number(what, where, print_["price"], row["price"])
        compared.number("spread", where, print_["spread"], row["spread"])
        recorded = receipt(facts, row)
        for name, source in print_["sources"].items():
            theirs, each = recorded[name], f"{where} {name}"
            entered = theirs["state"] if theirs["state"] in ("included", "consulted") else "out"
            compared.same(f"source {source.state}", each, source.state, entered)
            compared.same("outlier" if source.outlier else "no outlier", each, source.outlier, theirs["outlier"])
            if source.state != "included":
                continue
            compared.number("weight of a source", each, source.weight, theirs["weight"])
            compared.number("mark of a source", each, source.mark.price, theirs["price"])
            compared.same(f"basis {source.mark.basis}", each, source.mark.basis, theirs["basis"])
            compared.same("age of a source", each, source.mark.at, theirs["observed"])
            if source.volume is not None:
                compared.number("volume of a source", each, source.volume, theirs["volume"])


def compare_index(facts, compared, ticker, ours, told):
    for row, print_ in revisions_of(compared, ticker, ours, told):
        where = f"{ticker} {row['at']}"
        compared.number("restated level" if row["revision"] else "level", where, print_["level"], row["level"])
        for field in ("coverage", "divisor"):
            compared.number(field, where, print_[field], row[field])
        recorded = receipt(facts, row)
        compared.same("names", where, sorted(print_["lines"]), sorted(recorded))
        for name, line in print_["lines"].items():
            if name not in recorded:
                continue
            theirs, each = recorded[name], f"{where} {name}"
            compared.number("weight of a name", each, line.weight, theirs["weight"])
            compared.number("mark of a name", each, line.price, theirs["price"])
            said = (line.state, line.basis, line.reason)
            what = f"excluded: {line.reason}" if line.state == "excluded" else f"name {line.state}"
            compared.same("stated price" if line.basis == "stated" else what, each, said, (theirs["state"], theirs["basis"], theirs["reason"]))
            if line.state == "included":
                compared.same("age of a mark", each, line.observed, theirs["observed"])
                compared.number("spread of a book", each, line.spread, theirs["spread"])


def compare_links(facts, compared, ticker, links, prints):
    """What was held of a gauge that had moved without a move of its prices was worth when it was linked, by why it had moved."""
    sql = """SELECT p.*, market_keys, receipt FROM standing_index_prints p JOIN holdings USING (holding_id)
        JOIN index_receipts USING (print_id) WHERE p.ticker = ? AND at = ?"""
    for at, name, reason, worth in links:
        if at in prints:
            row = facts.sql.execute(sql, [ticker, at]).fetchone()
            theirs = receipt(facts, row).get(before_link(name)) if row else None
            compared.number(f"linking after {reason}", f"{ticker} {at} {name}", worth, theirs and theirs["price"])


def compare_steps(facts, compared, ticker, ours, moves):
    """The ledger: when what is priced changed, why and by which names, and that the level stood still."""
    sql = "SELECT * FROM standing_divisor_steps WHERE ticker = ? ORDER BY step_id"
    told, expected = {}, {}
    for row in facts.sql.execute(sql, [ticker]):
        told.setdefault((row["at"], row["reason"]), set()).update(json.loads(row["market_ids"]))
        if not moves:
            compared.number("level through a step", f"{ticker} {row['at']}", row["level_before"], row["level_after"])
    for at, reason, names in ours:
        expected.setdefault((at, reason), set()).update(names)
    for at, reason in sorted(told.keys() | expected.keys()):
        names, theirs = expected.get((at, reason)), told.get((at, reason))
        # A step of all names is known by its instant.
        if reason in ("rebalance", "reconstitution"):
            names, theirs = names is not None, theirs is not None
        compared.same(f"step: {reason}", f"{ticker} {at}", names, theirs)
