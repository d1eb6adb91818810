"""Pearson correlations of the constituents of an index, from the closes that were recalculated."""

from decimal import Decimal
from itertools import combinations

from indices import before_link
from stats import closes_before

LEAST_CHANGES, CLOSES = 20, 90


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


def changes(name, points, linkings):
    """Changes from close to close: plain ones of a price, of logarithms of a level; None where one is missing."""
    prices = [lines[name].price if name in lines else None for _at, lines in points]
    if name.startswith("index:"):
        prices = [price.ln() if price else None for price in prices]
        # From each close on all that linkings have moved it by until then, which is no return.
        moved = [sum((by for then, by in linkings if then <= at), Decimal(0)) for at, _lines in points]
        prices = [None if price is None else price - by for price, by in zip(prices, moved)]
    return [None if a is None or b is None else b - a for a, b in zip(prices, prices[1:])]


def linkings_of(name, prints, times):
    """Each (instant, change of the logarithm) by which the level was linked to what was held, since the first close."""
    held = before_link(name)
    lines = [(at, prints[at]["lines"]) for at in prints if times and times[0] < at <= times[-1]]
    return [(at, (each[name].price / each[held].price).ln()) for at, each in lines if held in each and name in each]


def compare_correlation(compared, ticker, answer, prints, now, current):
    """Up to the last completed close; for the authenticated tier the last print since is one point more."""
    times = [at for _day, at in closes_before(prints, now)[-CLOSES:]]
    last = prints.newest(now)
    if current and last not in times:
        times.append(last)
    points = [(at, prints[at]["lines"]) for at in times]
    names = answer["market_ids"]
    linkings = [linkings_of(name, prints, times) for name in names]
    rows = [changes(name, points, linked) for name, linked in zip(names, linkings)]
    for (i, a), (j, b) in combinations(enumerate(rows), 2):
        pairs = [(x, y) for x, y in zip(a, b) if x is not None and y is not None]
        where = f"{ticker} {names[i]} {names[j]}"
        kind = "current correlation" if current else "correlation"
        if linkings[i] or linkings[j]:
            kind = f"{kind} across a linking"
        compared.same("changes of a pair", where, len(pairs), answer["changes"][i][j])
        compared.number(kind, where, pearson(pairs), answer["matrix"][i][j])
