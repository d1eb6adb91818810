"""Target weights of the names of an index, and the calendar by which they are looked at anew."""

from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

EASTERN = ZoneInfo("America/New_York")
MONTHS = {"month": 1, "quarter": 3}


def number(value):
    return Decimal(str(value))


def next_rebalance(calendar, after):
    """The first instant of a calendar, in US Eastern clock time, after another."""
    hour, minute = map(int, calendar["time"].split(":"))
    day = datetime.fromtimestamp(after / 1000, EASTERN).date()
    while True:
        if calendar["every"] == "week":
            due = day.isoweekday() == calendar["day"]
        else:
            due = day.day == calendar["day"] and (day.month - 1) % MONTHS[calendar["every"]] == 0
        clock = datetime(day.year, day.month, day.day, hour, minute, tzinfo=EASTERN)
        # A time that does not exist, or occurs twice, is read as summer time, which is the earlier one.
        at = round(min(clock.timestamp(), clock.replace(fold=1).timestamp()) * 1000)
        if due and at > after:
            return at
        day += timedelta(days=1)


def capped(shares, cap):
    """What is above the cap goes to the others by their shares, again until it fits; too few names are all equal."""
    if cap * len(shares) <= 1:
        return [Decimal(1) / len(shares)] * len(shares)
    cut = set()
    while True:
        left = 1 - cap * len(cut)
        rest = sum(share for i, share in enumerate(shares) if i not in cut)
        given = [cap if i in cut else share * left / rest for i, share in enumerate(shares)]
        above = {i for i, share in enumerate(given) if share > cap}
        if not above:
            return given
        cut |= above


def target_weights(definition, names, size_of):
    """Weights of some names, in their order: shares where there is a cap. size_of gives volume or open interest."""
    weighting = definition["weighting"]
    weights = uncapped(definition, names, size_of)
    if "cap" not in weighting or not names:
        return weights
    whole = sum(weights)
    return capped([weight / whole for weight in weights], number(weighting["cap"]))


def uncapped(definition, names, size_of):
    weighting = definition["weighting"]
    of = {each["market_id"]: each for each in definition["constituents"]}
    if "categories" in weighting:
        own = {name: number(of[name].get("weight", 1)) for name in names}
        inside = {}
        for name in names:
            category = of[name]["groups"]["category"]
            inside[category] = inside.get(category, 0) + own[name]
        return [
            number(weighting["categories"][of[n]["groups"]["category"]]) * own[n] / inside[of[n]["groups"]["category"]]
            for n in names
        ]
    scheme = weighting["scheme"]
    if scheme == "equal":
        return [Decimal(1)] * len(names)
    if scheme == "attribute":
        return [number(of[name]["attributes"][weighting["attribute"]]) for name in names]
    if scheme in ("volume", "liquidity"):
        known = [size_of(name) or None for name in names]
        smallest = min((size for size in known if size), default=Decimal(1))
        return [size or smallest for size in known]
    return [number(of[name]["weight"]) for name in names]
