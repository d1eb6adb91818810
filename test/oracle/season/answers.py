"""Correlations of constituents and stats of rates, from the closes that were recalculated."""

import json
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import combinations

from indices import EASTERN

LEAST_CHANGES, CORRELATED_CLOSES = 20, 90


def closes_before(times, now):
    """(day, instant) of each day of the US East that is over: its last print."""
    today = datetime.fromtimestamp(now / 1000, EASTERN).date()
    last = {}
    for at in sorted(times):
        last[datetime.fromtimestamp(at / 1000, EASTERN).date()] = at
    return [(day, at) for day, at in sorted(last.items()) if day < today]


def pearson(pairs):
    """None under twenty changes or without variance."""
    count = len(pairs)
    if count < LEAST_CHANGES:
        return None
    mean_x, mean_y = sum(x for x, _ in pairs) / count, sum(y for _, y in pairs) / count
    xx = sum((x - mean_x) ** 2 for x, _ in pairs)
    yy = sum((y - mean_y) ** 2 for _, y in pairs)
    if xx == 0 or yy == 0:
        return None
    return sum((x - mean_x) * (y - mean_y) for x, y in pairs) / (xx * yy).sqrt()


def changes(name, prices):
    """Changes from close to close: plain ones of a price, of logarithms of a level; None where one is missing."""
    scale = (lambda level: level.ln()) if name.startswith("index:") else (lambda price: price)
    return [
        None if a.get(name) is None or b.get(name) is None else scale(b[name]) - scale(a[name])
        for a, b in zip(prices, prices[1:])
    ]


def compare_correlation(compared, ticker, answer, prints, now):
    closes = closes_before(prints, now)[-CORRELATED_CLOSES:]
    prices = [prints[at]["prices"] for _day, at in closes]
    names = answer["market_ids"]
    rows = [changes(name, prices) for name in names]
    for (i, a), (j, b) in combinations(enumerate(rows), 2):
        pairs = [(x, y) for x, y in zip(a, b) if x is not None and y is not None]
        where = f"{ticker} {names[i]} {names[j]}"
        compared.same("changes of a pair", where, len(pairs), answer["changes"][i][j])
        ours, theirs = pearson(pairs), answer["matrix"][i][j]
        if ours is None or theirs is None:
            compared.same("correlation", where, ours, theirs)
        else:
            compared.number("correlation", where, ours, theirs)


def stats_of(closes):
    """(day, price in cents) of completed days -> the figures that can be had."""
    (last_day, last), (first_day, first) = closes[-1], closes[0]
    by_day = dict(closes)
    found = {"through_day": last_day.isoformat(), "first_day": first_day.isoformat()}
    for days in (1, 7, 30, 90):
        base = last_day - timedelta(days)
        for back in range(8):
            then = by_day.get(base - timedelta(back))
            if then is not None:
                if then > 0:
                    found[f"return_{days}d"] = last / then - 1
                break
    if len(closes) > 1 and first > 0:
        found["return_since_first"] = last / first - 1
    pairs = zip(closes, closes[1:])
    steps = [b - a for (day, a), (next_day, b) in pairs if next_day - day == timedelta(1)][-90:]
    if len(steps) >= LEAST_CHANGES:
        mean = sum(steps) / len(steps)
        variance = sum((step - mean) ** 2 for step in steps) / (len(steps) - 1)
        found["volatility"] = (365 * variance).sqrt()
    year = [price for day, price in closes if day > last_day - timedelta(365)]
    high, fall = year[0], Decimal(0)
    for price in year:
        high = max(high, price)
        fall = min(fall, price / high - 1 if high > 0 else Decimal(0))
    return {**found, "high_365d": max(year), "low_365d": min(year), "max_drawdown_365d": fall}


def compare_stats(compared, ticker, answer, prints, now):
    ours = stats_of([(day, 100 * prints[at][0]) for day, at in closes_before(prints, now)])
    compared.same("stats that there are", ticker, sorted(ours), sorted(answer))
    for field, value in ours.items():
        where = f"{ticker} {field}"
        if isinstance(value, str):
            compared.same("stats", where, value, answer[field])
        else:
            # Prices are written to four decimals of a cent.
            written = round(value, 4) if field in ("high_365d", "low_365d") else value
            compared.number("stats", where, written, answer[field])


def compare_answers(compared, printed, now, path):
    """FILE: {"correlations": {ticker: body}, "stats": {ticker: body}}"""
    with open(path) as file:
        answers = json.load(file)
    for ticker, answer in answers["correlations"].items():
        compare_correlation(compared, ticker, answer, printed["index"][ticker], now)
    for ticker, answer in answers["stats"].items():
        compare_stats(compared, ticker, answer, printed["rate"][ticker], now)
