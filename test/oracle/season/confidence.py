"""How much a printed value rests on."""

from decimal import Decimal
from statistics import median

from marks import FINAL

HOUR = 3_600_000
GRADES = "ABC"
NOISE = Decimal("1e-12")


def facts_of(line):
    """(weight, observed at, spread) of an input; a payoff or a stated price has no age and no spread."""
    mark = getattr(line, "mark", None)
    basis, observed, spread = (mark.basis, mark.at, mark.spread) if mark else (line.basis, line.observed, line.spread)
    return (line.weight, None, None) if basis in FINAL else (line.weight, observed, spread)


def place(excess, room):
    """0 for A, 1 for B, 2 for C: by how much the limit of B goes beyond that of A. A division rounds a little."""
    return 0 if excess <= NOISE else 1 if excess <= room + NOISE else 2


def compare_confidence(compared, where, lines, at, now, answer, coverage=None):
    """Of an index its coverage is graded, of a rate the sources that it really rests on and how many of them are flagged."""
    inputs = [facts_of(line) for line in lines if line.weight > 0]
    squares = sum(weight * weight for weight, _observed, _spread in inputs)
    effective = 1 / squares if squares else Decimal(0)
    ages = [observed for _weight, observed, _spread in inputs if observed is not None]
    spreads = [100 * spread for _weight, _observed, spread in inputs if spread is not None]
    middle = median(spreads) if spreads else None
    oldest = min(ages) if ages else None
    places = [1 if middle is None else place(middle - 5, 5)]
    if oldest is not None:
        places.append(place(now - oldest - 6 * HOUR, 18 * HOUR))
    if coverage is None:
        places.append(place(Decimal("1.5") - effective, Decimal("0.5")))
        places.append(place(sum(line.weight for line in lines if line.weight > 0 and line.outlier), Decimal("0.5")))
        compared.number("effective sources", where, effective, answer["effective_sources"])
    else:
        places.append(place(Decimal("0.95") - coverage, Decimal("0.2")))
        compared.number("effective names", where, effective, answer["effective_names"])
        compared.number("coverage as answered", where, coverage, answer["coverage"])
    age = None if oldest is None else (at - oldest) // 1000
    compared.same("oldest input", where, age, answer.get("oldest_input_age_seconds"))
    compared.written("median spread", where, middle, answer.get("median_spread"), 4)
    grade = GRADES[max(places)]
    compared.same(f"grade {grade}", where, grade, answer["grade"])
