"""The raw facts of a store: what venues said, when, and what the definitions ask for. Nothing that was calculated."""

import json
import sqlite3
from array import array
from bisect import bisect_left, bisect_right
from datetime import datetime
from decimal import Decimal, getcontext

getcontext().prec = 34
HOUR = 3_600_000
DAY = 24 * HOUR
# What was seen at one instant counts in this order, the last one most.
SERIES = ["quote", "candle_60", "candle_1440", "history", "trades_60", "trades_1440", "trades"]
TELLS_BOOK = {"quote", "candle_60", "candle_1440"}
COVERS = {"candle_60": HOUR, "candle_1440": 23 * HOUR, "trades_60": HOUR, "trades_1440": 23 * HOUR}
COLUMNS = ["bid", "ask", "last", "volume", "open_interest"]
KINDS = ("books", "prices", "lasts", "histories", "trades", "counts", "interests")


def instant(text):
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def exact(value):
    """The decimal number that a double is printed as."""
    return None if value is None or value != value else Decimal(repr(value))


def numbers(kind, blob):
    values = array(kind)
    values.frombytes(blob)
    return values


def column(blob, points):
    """Two bytes a point in hundredths of a cent, or four in hundredths, all bits for none; or a double, NaN for none."""
    if not blob:
        return [None] * points
    if len(blob) == points * 8:
        return [exact(value) for value in numbers("d", blob)]
    form, none, of_one = ("H", 0xFFFF, 10000) if len(blob) == points * 2 else ("I", 0xFFFFFFFF, 100)
    return [None if unit == none else Decimal(unit) / of_one for unit in numbers(form, blob)]


def instants(blob, points, first):
    """The first and a step from five points on, or what each lies after the chunk's first: milliseconds or seconds."""
    if points >= 5 and len(blob) == 16:
        start, step = numbers("d", blob)
        return [first + round(start + i * step) for i in range(points)]
    wide = len(blob) == points * 8
    return [first + round(offset) * (1 if wide else 1000) for offset in numbers("d" if wide else "I", blob)]


class Market:
    """What is known of one contract at an instant: the newest revisions that were recorded by then."""

    def __init__(self, listed, statuses, rows):
        self.unit = listed["volume_unit"]
        self.platform = listed["market_id"].partition(":")[0]
        self.statuses, self.rows = statuses, rows
        self.closes_at = statuses[0]["closes_at"] if statuses else None
        self.times = [row["at"] for row in rows]
        self.books = [row for row in rows if row["series"] in TELLS_BOOK]
        self.prices = [row for row in rows if row["last"] is not None]
        # A venue that does not say what its price history is tells no trades with it.
        self.lasts = [row for row in self.prices if row["series"] != "history"]
        self.histories = [row for row in rows if row["series"] not in TELLS_BOOK]
        self.trades = [row for row in rows if row["series"] == "trades"]
        self.counts = [row for row in rows if row["series"] == "quote" and row["volume"] is not None]
        self.interests = [row for row in rows if row["open_interest"] is not None]
        self.index = {name: [row["at"] for row in getattr(self, name)] for name in KINDS}
        self.counted = None

    def newest(self, name, at):
        i = bisect_right(self.index[name], at) - 1
        return getattr(self, name)[i] if i >= 0 else None

    def between(self, name, after, until):
        """Rows later than an instant, up to another."""
        times = self.index[name]
        return getattr(self, name)[bisect_right(times, after) : bisect_right(times, until)]

    def seen_at(self, at):
        """The instant of the newest observation of any kind."""
        i = bisect_right(self.times, at) - 1
        return self.times[i] if i >= 0 else None

    def changes(self, start, end):
        """The instants within a span at which something was seen, of its prices or of its state."""
        prices = self.times[bisect_right(self.times, start) : bisect_left(self.times, end)]
        return sorted({*prices, *(each["observed_at"] for each in self.statuses if start < each["observed_at"] < end)})

    @property
    def settled(self):
        return bool(self.statuses) and self.statuses[-1]["status"] == "settled"

    def life(self, at):
        """Status, payoff and since when: a settlement counts from its own instant, other states from when seen."""
        if self.statuses:
            newest = self.statuses[-1]
            since = newest["settled_at"] or newest["observed_at"]
            if newest["status"] == "settled" and newest["payout"] is not None and since <= at:
                return "settled", exact(newest["payout"]), since
        known = [each for each in self.statuses if each["observed_at"] <= at]
        if known:
            # What was settled for a while has not paid.
            status = known[-1]["status"]
            return "closed" if status == "settled" else status, None, None
        ended = self.closes_at is not None and self.closes_at <= at
        return ("closed" if ended else "active"), None, None

    def volume(self, at):
        """Lifetime volume: the venue's count, and candles wholly after it."""
        if self.counted is None:
            self.counted = list(self.count())
        i = bisect_right(self.times, at) - 1
        return self.counted[i] if i >= 0 else None

    def count(self):
        volume, counted = None, float("-inf")
        for row in self.rows:
            if row["volume"] is not None:
                wholly = row["series"] in COVERS and row["at"] - COVERS[row["series"]] >= counted
                if row["series"] == "quote" or wholly:
                    volume = row["volume"] if row["series"] == "quote" else (volume or 0) + row["volume"]
                    counted = row["at"]
            yield volume


class Facts:
    """What is known at an instant, which `learn` moves on."""

    def __init__(self, path):
        self.sql = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.sql.row_factory = sqlite3.Row
        self.names = {row["market_key"]: row["market_id"] for row in self.sql.execute("SELECT * FROM market_names")}
        self.keys = {name: key for key, name in self.names.items()}
        self.runs = [row[0] for row in self.sql.execute("SELECT calculated_at FROM calculations ORDER BY 1")]
        # Of each ticker its versions with the instants from which on they count; one replaced before that never does.
        # A rate's counts from the first run on that knew it.
        self.versions = {"index": {}, "rate": {}}
        for row in self.sql.execute("SELECT * FROM definitions ORDER BY definition_key"):
            if row["withdrawn_at"] is None or row["withdrawn_at"] >= row["takes_effect_at"]:
                known = self.versions[row["kind"]].setdefault(row["ticker"], [])
                since = row["adopted_at" if row["kind"] == "rate" else "takes_effect_at"]
                known.append((since, json.loads(row["body"])))
        in_force = "SELECT kind, ticker FROM definitions WHERE withdrawn_at IS NULL ORDER BY position"
        self.tickers = {"index": [], "rate": []}
        for row in self.sql.execute(in_force):
            self.tickers[row["kind"]].append(row["ticker"])
        self.told, self.known, self.known_at = {}, {}, self.runs[-1] if self.runs else 0

    def definition(self, kind, ticker):
        """The newest version."""
        return self.versions[kind][ticker][-1][1]

    def rate(self, ticker, at):
        """The version of a rate that calculated an instant first: that of the first run from then on."""
        run = next((run for run in self.runs if run >= at), at)
        versions = self.versions["rate"][ticker]
        return next((body for since, body in reversed(versions) if since <= run), versions[0][1])

    def learn(self, at):
        """Goes to what is known at an instant."""
        self.known = {name: market for name, market in self.known.items() if not self.told_between(name, self.known_at, at)}
        self.known_at = at

    def told_between(self, name, a, b):
        told = self.tell(name)
        times = [each["observed_at"] for each in told["statuses"]] + [row["recorded"] for row in told["rows"]]
        return any(min(a, b) < time <= max(a, b) for time in times)

    def market(self, name):
        """None for a contract that the catalog has not seen by then."""
        if name not in self.known:
            told = self.tell(name)
            statuses = [each for each in told["statuses"] if each["observed_at"] <= self.known_at]
            rows = self.newest(told, self.known_at).values()
            ordered = sorted(rows, key=lambda row: (row["at"], SERIES.index(row["series"])))
            self.known[name] = Market(told["listed"], statuses, ordered) if statuses else None
        return self.known[name]

    @staticmethod
    def newest(told, known_at):
        """Of revisions of one observation the newest that was recorded by an instant."""
        return {(row["at"], row["series"]): row for row in told["rows"] if row["recorded"] <= known_at}

    def tell(self, name):
        if name not in self.told:
            self.told[name] = self.read(name)
        return self.told[name]

    def read(self, name):
        """All that was ever told of a contract: statuses in their order, prices as they were recorded."""
        sql = "SELECT market_id, volume_unit FROM markets WHERE market_id = ?"
        listed = self.sql.execute(sql, [name]).fetchone()
        if listed is None:
            return {"listed": None, "statuses": [], "rows": []}
        key, rows = [self.keys[name]], []
        for chunk in self.sql.execute("SELECT * FROM price_chunks WHERE market_key = ? ORDER BY chunk_id", key):
            points = chunk["points"]
            times = instants(chunk["observed"], points, chunk["first_at"])
            recorded = instants(chunk["recorded"], points, chunk["first_at"])
            values = {each: column(chunk[each], points) for each in COLUMNS}
            for i in range(points):
                row = {each: values[each][i] for each in COLUMNS}
                rows.append({**row, "at": times[i], "series": chunk["series"], "recorded": recorded[i]})
        for tail in self.sql.execute("SELECT * FROM price_tail WHERE market_key = ?", key):
            row = {each: exact(tail[each]) for each in COLUMNS}
            rows.append({**row, "at": tail["observed_at"], "series": tail["series"], "recorded": tail["recorded_at"]})
        statuses = self.sql.execute("SELECT * FROM market_statuses WHERE market_key = ? ORDER BY observed_at", key)
        rows.sort(key=lambda row: row["recorded"])
        return {"listed": listed, "statuses": [dict(row) for row in statuses], "rows": rows}

    def corrections(self, name, before, now):
        """[(from when on, why)]: what was known of a contract at an instant and was told otherwise up to a later one."""
        told = self.tell(name)
        if not self.told_between(name, before, now):
            return []
        found, paid = [], payoff_of(told["statuses"], before)
        for each in told["statuses"]:
            if before < each["observed_at"] <= now:
                pays = payoff_of(told["statuses"], each["observed_at"])
                if (pays and pays[1]) != (paid and paid[1]):
                    found.append((min(since for since, _payout in filter(None, (paid, pays))), "late_settlement"))
                elif pays != paid:
                    # It only moved.
                    found.append((pays[0], "late_settlement"))
                paid = pays
        then = self.newest(told, before)
        for row in told["rows"]:
            known = then.get((row["at"], row["series"]))
            if known and before < row["recorded"] <= now and any(row[each] != known[each] for each in ("bid", "ask", "last")):
                found.append((row["at"], "revised_price"))
        return sorted(found)


def payoff_of(statuses, known_at):
    """(instant, payoff) of a settlement as it is known at an instant."""
    known = [each for each in statuses if each["observed_at"] <= known_at]
    if not known or known[-1]["status"] != "settled" or known[-1]["payout"] is None:
        return None
    return known[-1]["settled_at"] or known[-1]["observed_at"], known[-1]["payout"]
