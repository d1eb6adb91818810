"""The robust median: the mean of the medians of the twelve parts of the hour before the print."""

from bisect import bisect_right
from decimal import Decimal

from facts import HOUR
from marks import for_rate

PARTS = 12
PART = HOUR // PARTS


def robust_median(markets, marks, at, least_trades):
    """(price, weights, whether any part went by trades) of the sources that have a mark, or None without any part."""
    medians, shares, traded = [], [], False
    for part in range(PARTS):
        start = at - HOUR + part * PART
        stood = [trades_of(market, start, start + PART) if mark else [] for market, mark in zip(markets, marks)]
        few = sum(map(len, stood)) < least_trades
        traded |= not few
        if few:
            stood = [
                standing(market, start, start + PART, mark.basis == "floor") if mark else []
                for market, mark in zip(markets, marks)
            ]
        sizes = sorted((price, size) for each in stood for price, size in each)
        whole = sum(size for _price, size in sizes)
        if whole == 0:
            continue
        medians.append(weighted_median(sizes, whole))
        shares.append([Decimal(sum(size for _price, size in each)) / whole for each in stood])
    if not medians:
        return None
    weights = [sum(each[i] for each in shares) / len(shares) for i in range(len(markets))]
    weights = [weight if mark else None for weight, mark in zip(weights, marks)]
    return sum(medians) / len(medians), weights, traded


def trades_of(market, start, end):
    """(price, volume) of the trades after an instant and up to another.

    Trades are the venue's own where it tells them one by one; elsewhere, and before the first that was told, one is
    the growth of the lifetime volume between two quotes that tell it, at most five minutes apart, at the later one's
    last trade.
    """
    told = market.index["trades"][0] if market.trades else None
    found = [(row["last"], row["volume"]) for row in market.between("trades", start, end)]
    first = bisect_right(market.index["counts"], start)
    for i in range(max(first, 1), bisect_right(market.index["counts"], end)):
        before, after = market.counts[i - 1 : i + 1]
        if told is not None and after["at"] >= told:
            continue
        if after["at"] - before["at"] > PART or after["last"] is None:
            continue
        if after["volume"] > before["volume"]:
            found.append((after["last"], after["volume"] - before["volume"]))
    return found


def standing(market, start, end, floors):
    """(mark, how long it stood) within a part of the hour; floors are marks while there is no other at the print."""
    changes = [start, *market.changes(start, end), end]
    found = []
    for begins, ends in zip(changes, changes[1:]):
        mark = for_rate(market, begins)
        if mark and (mark.basis != "floor" or floors):
            found.append((mark.price, ends - begins))
    return found


def weighted_median(sizes, whole):
    passed = 0
    for i, (price, size) in enumerate(sizes):
        passed += size
        if 2 * passed == whole:
            return (price + sizes[i + 1][0]) / 2
        if 2 * passed > whole:
            return price
