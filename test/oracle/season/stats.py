"""Daily closes, and the stats of a rate from them."""

from datetime import timedelta
from decimal import Decimal

from prints import eastern_day

LEAST_CHANGES = 20


def closes_before(times, now):
    """(day, instant) of each day of the US East that is over: its last print."""
    last = {eastern_day(at): at for at in sorted(times)}
    return [(day, at) for day, at in sorted(last.items()) if day < eastern_day(now)]


def previous_closes(prints, now):
    """The last completed day's, and the close seven calendar days before it or the last in the seven days before that."""
    closes = closes_before(prints, now)
    if not closes:
        return {"previous_close_1d": None, "previous_close_7d": None}
    day, at = closes[-1]
    week = day - timedelta(7)
    earlier = [then for each, then in closes if week - timedelta(7) <= each <= week]
    return {"previous_close_1d": at, "previous_close_7d": earlier[-1] if earlier else None}


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
    closes = [(day, prints[at]["price"]) for day, at in closes_before(prints, now)]
    ours = stats_of(closes) if closes else {}
    compared.same("stats that there are", ticker, sorted(ours), sorted(answer or {}))
    for field, value in ours.items():
        where = f"{ticker} {field}"
        if answer is None or field not in answer:
            continue
        if isinstance(value, str):
            compared.same("stats", where, value, answer[field])
        elif field in ("high_365d", "low_365d"):
            compared.written("stats", where, value, answer[field], 4)
        else:
            compared.number("stats", where, value, answer[field])
