"""Independent reckoning of the two 2024 presidential indices from the recorded CSV files.

Standard library only, in decimals, straight from the published rules; shares no code with the product.
Usage: python3 test/oracle/us-president-2024.py [recorded folder]   (default: REAL_DATA or ../shared/real)
Writes test/oracle/us-president-2024.json.

Rules worked here:
* mark of a state at t: its newest recorded Trump price at or before t (0 and 1 are no trades);
  hourly file, with the daily one before its first row and after its last;
* basket: quantity n = w/q at the base (w: share of the electoral votes), level 1000 * sum(n q) / sum(n q base);
* gauge: 100 * sum(w q) / sum(w);
* a print every hour from the base on, left out when no state has a price newer than the print before;
* close of a US Eastern day: its last print; a day is complete once it is over at the clock;
* constituent returns since the last complete close; correlation of plain daily changes over the last
  90 complete closes, null under 20 changes or without variance.
"""

import csv
import gzip
import json
import os
import sys
from bisect import bisect_right
from datetime import datetime, timedelta, timezone
from decimal import Decimal, getcontext
from itertools import combinations
from pathlib import Path
from zoneinfo import ZoneInfo

getcontext().prec = 40
HERE = Path(__file__).resolve().parent
EASTERN = ZoneInfo("America/New_York")
HOUR = 3600
CLOCK = int(datetime(2024, 11, 5, tzinfo=timezone.utc).timestamp())
WINDOW_CLOSES, LEAST_CHANGES = 90, 20

ELECTORAL_VOTES = {
    "AL": 9, "AR": 6, "AZ": 11, "CA": 54, "CT": 7, "DE": 3, "FL": 30, "GA": 16, "HI": 4, "IA": 6,
    "IL": 19, "KS": 6, "LA": 8, "MD": 10, "MI": 15, "MN": 10, "MS": 6, "ND": 3, "NE": 5, "NH": 4,
    "NV": 6, "NY": 28, "OK": 7, "PA": 19, "RI": 4, "SD": 3, "TX": 40, "VT": 3, "WA": 12, "WY": 3,
}
CORRELATED = ["AZ", "GA", "MI", "NV", "PA", "NH", "MN", "IA", "FL", "TX", "KS", "CA"]


def iso(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def eastern_day(seconds):
    return datetime.fromtimestamp(seconds, EASTERN).date()


def out(value):
    """A number with 15 significant digits."""
    return None if value is None else float(f"{value:.15g}")


def read_prices(path):
    with gzip.open(path, "rt", newline="") as file:
        rows = list(csv.DictReader(file))
    column = "Donald Trump" if "Donald Trump" in rows[0] else "Republican"
    found = [(int(row["Timestamp (UTC)"]), Decimal(row[column])) for row in rows if row[column] != ""]
    return [(at, price) for at, price in found if 0 < price < 1]


class Series:
    """Prices of one state in time order."""

    def __init__(self, folder, state):
        hourly = read_prices(folder / "csv_hour" / f"{state}_hourly.csv.gz")
        daily = read_prices(folder / "csv_day" / f"{state}_daily.csv.gz")
        first, last = hourly[0][0], hourly[-1][0]
        points = [p for p in daily if p[0] < first] + hourly + [p for p in daily if p[0] > last]
        self.first_hourly = first
        self.times = [at for at, _ in points]
        self.prices = [price for _, price in points]
        assert self.times == sorted(set(self.times))

    def mark(self, at):
        """(observed at, price) of the newest price at or before an instant."""
        i = bisect_right(self.times, at) - 1
        return self.times[i], self.prices[i]


def pearson(xs, ys):
    n = len(xs)
    if n < LEAST_CHANGES:
        return None
    mean_x, mean_y = sum(xs) / n, sum(ys) / n
    sxx = sum((x - mean_x) ** 2 for x in xs)
    syy = sum((y - mean_y) ** 2 for y in ys)
    if sxx == 0 or syy == 0:
        return None
    sxy = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
    return max(Decimal(-1), min(Decimal(1), sxy / (sxx * syy).sqrt()))


def main():
    default = os.environ.get("REAL_DATA", HERE / "../../../shared/real")
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else default) / "us-president-2024-by-state"
    states = sorted(ELECTORAL_VOTES)
    series = {state: Series(folder, state) for state in states}

    latest_start = max(one.first_hourly for one in series.values())
    base = -(-latest_start // HOUR) * HOUR
    votes = sum(ELECTORAL_VOTES.values())
    share = {state: Decimal(ELECTORAL_VOTES[state]) / votes for state in states}
    base_marks = {state: series[state].mark(base)[1] for state in states}
    assert all(q >= Decimal("0.005") for q in base_marks.values())
    quantity = {state: share[state] / base_marks[state] for state in states}
    base_value = sum(quantity[state] * base_marks[state] for state in states)
    divisor = base_value / 1000

    def basket_level(marks):
        return sum(quantity[state] * marks[state] for state in states) / divisor

    def gauge_level(marks):
        return 100 * sum(share[state] * marks[state] for state in states)

    prints = []  # (instant, marks)
    for at in range(base, CLOCK + 1, HOUR):
        observed = {state: series[state].mark(at) for state in states}
        newest = max(seen for seen, _ in observed.values())
        if not prints or newest > prints[-1][0]:
            prints.append((at, {state: price for state, (_, price) in observed.items()}))

    closes = {}
    for at, marks in prints:
        closes[eastern_day(at)] = (at, marks)
    complete = [day for day in sorted(closes) if day < eastern_day(CLOCK)]
    last_day = complete[-1]
    close_at, close_marks = closes[last_day]
    week_ago = last_day - timedelta(days=7)
    week_days = [day for day in complete if week_ago - timedelta(days=7) <= day <= week_ago]
    end_at, end_marks = prints[-1]
    end_value = sum(quantity[state] * end_marks[state] for state in states)

    window = complete[-WINDOW_CLOSES:]
    changes = {
        state: [closes[b][1][state] - closes[a][1][state] for a, b in zip(window, window[1:])] for state in states
    }
    by_instant = dict(prints)
    spread = [prints[0], prints[1], prints[20], *prints[100::150]]
    spread += [(at, by_instant[at]) for at in (close_at - HOUR, close_at, close_at + HOUR, end_at)]
    samples = sorted(dict(spread).items())

    def returns(weight, point):
        return {
            state: {
                "weight": out(weight(state)),
                "point_change": out(point(state) * (end_marks[state] - close_marks[state])),
                "percent_change": out(100 * (end_marks[state] / close_marks[state] - 1)),
            }
            for state in states
        }

    def index(level, weight, point):
        return {
            "levels": [[iso(at), out(level(marks))] for at, marks in samples],
            "closes": [[str(day), iso(closes[day][0]), out(level(closes[day][1]))] for day in complete],
            "latest_level": out(level(end_marks)),
            "previous_close_1d": out(level(close_marks)),
            "previous_close_7d": out(level(closes[week_days[-1]][1])),
            "constituent_returns": returns(weight, point),
        }

    result = {
        "source": "test/oracle/us-president-2024.py over the recorded CSV files",
        "base_at": iso(base),
        "clock": iso(CLOCK),
        "print_count": len(prints),
        "last_print_at": iso(end_at),
        "complete_close_count": len(complete),
        "last_complete_day": str(last_day),
        "electoral_votes": votes,
        "base_marks": {state: out(base_marks[state]) for state in states},
        "marks_at_last_print": {state: out(end_marks[state]) for state in states},
        "indices": {
            "USPRES24-R": index(
                basket_level,
                lambda state: quantity[state] * end_marks[state] / end_value,
                lambda state: quantity[state] / divisor,
            ),
            "USPRES24-R-GAUGE": index(gauge_level, lambda state: share[state], lambda state: 100 * share[state]),
        },
        "correlation": {
            "first_day": str(window[0]),
            "last_day": str(window[-1]),
            "change_count": len(window) - 1,
            "cells": [[a, b, out(pearson(changes[a], changes[b]))] for a, b in combinations(CORRELATED, 2)],
            "no_variance": [state for state in states if len(set(changes[state])) == 1],
        },
    }
    target = HERE / "us-president-2024.json"
    target.write_text(compact(result) + "\n", encoding="utf-8")
    print(f"{target.name}: {len(prints)} prints to {iso(end_at)}, {len(complete)} closes to {last_day}")


def compact(result):
    """JSON with one line for each innermost list or object."""
    return render(result, 0)


def render(value, depth):
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    if not any(isinstance(one, (dict, list)) for one in inner):
        return json.dumps(value)
    pad, close = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict):
        lines = [f"{pad}{json.dumps(key)}: {render(one, depth + 1)}" for key, one in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{close}}}"
    return "[\n" + ",\n".join(pad + render(one, depth + 1) for one in value) + f"\n{close}]"


main()
