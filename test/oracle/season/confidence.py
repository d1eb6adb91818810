"""How much a printed value rests on."""

from decimal import Decimal
from statistics import median

HOUR = 3_600_000
GRADES = "ABC"


def facts_of(line):
    """(weight, observed at, spread) of an input; a payoff has no age and no spread."""
    mark = getattr(line, "mark", None)
    basis, observed, spread = (mark.basis, mark.at, mark.spread) if mark else (line.basis, line.observed, line.spread)
    return (line.weight, None, None) if basis == "settlement" else (line.weight, observed, spread)


def place(value, best, good):
    """0 for A, 1 for B, 2 for C."""
    return 0 if best(value) else 1 if good(value) else 2


def compare_confidence(compared, where, lines, at, now, answer, coverage=None):
    """Of an index its coverage is graded, of a rate the number of sources that it really rests on."""
    inputs = [facts_of(line) for line in lines if line.weight > 0]
    squares = sum(weight * weight for weight, _observed, _spread in inputs)
    effective = 1 / squares if squares else Decimal(0)
    ages = [observed for _weight, observed, _spread in inputs if observed is not None]
    spreads = [100 * spread for _weight, _observed, spread in inputs if spread is not None]
    middle = median(spreads) if spreads else None
    oldest = min(ages) if ages else None
    places = [place(middle, lambda s: s is not None and s <= 5, lambda s: s is None or s <= 10)]
    if oldest is not None:
        places.append(place(now - oldest, lambda age: age <= 6 * HOUR, lambda age: age <= 24 * HOUR))
    if coverage is None:
        places.append(place(effective, lambda n: n >= Decimal("1.5"), lambda n: n >= 1))
        compared.number("effective sources", where, effective, answer["effective_sources"])
    else:
        places.append(place(coverage, lambda c: c >= Decimal("0.95"), lambda c: c >= Decimal("0.75")))
        compared.number("effective names", where, effective, answer["effective_names"])
        compared.number("coverage as answered", where, coverage, answer["coverage"])
    age = None if oldest is None else (at - oldest) // 1000
    compared.same("oldest input", where, age, answer.get("oldest_input_age_seconds"))
    compared.written("median spread", where, middle, answer.get("median_spread"), 4)
    compared.same("grade", where, GRADES[max(places)], answer["grade"])
