"""constituent_returns: what each group has added since the last completed close."""

from decimal import Decimal

from indices import as_held
from stats import closes_before


def points_of(index, print_):
    """Index points of one unit of price of each name that is held: n / D."""
    held = {name: each for name, each in print_["lines"].items() if each.state in ("included", "excluded")}
    if index.definition["methodology"] == "gauge":
        whole = sum(each.quantity for each in held.values())
        return {name: 100 * each.quantity / whole for name, each in held.items()}
    return {name: each.quantity / print_["divisor"] for name, each in held.items() if each.quantity > 0}


def values_of(index, print_, group_of):
    """Index points that each group is worth at a print."""
    values = {}
    for name, units in points_of(index, print_).items():
        values[group_of(name)] = values.get(group_of(name), Decimal(0)) + units * print_["lines"][name].price
    return values


def compare_returns(compared, ticker, index, prints, rows, published, now):
    closes = closes_before(prints, now)
    if not closes:
        compared.same("groups", ticker, [], rows)
        return
    definition = index.version(now)
    dimension = definition.get("group_by")
    groups = {each["market_id"]: (each.get("groups") or {}).get(dimension) for each in definition["constituents"]}
    group_of = lambda name: groups.get(name) or name.removeprefix("index:").removeprefix("rate:")
    since = closes[-1][1]
    span = [prints[at] for at in prints.instants if at >= since]
    added, linked, weight = {}, {}, {}
    at_close = values_of(index, span[0], group_of)
    for before, after in zip(span, span[1:]):
        moved = {}
        for name, units in points_of(index, before).items():
            then, now_ = before["lines"][name].price, as_held(after["lines"], name)
            # What left while nothing was printed stands in no print since.
            if now_ is not None:
                moved[group_of(name)] = moved.get(group_of(name), Decimal(0)) + units * (now_.price - then)
        own = values_of(index, before, group_of)
        for group, points in moved.items():
            added[group] = added.get(group, Decimal(0)) + points
            if own[group] > 0:
                linked[group] = linked.get(group, Decimal(1)) * (1 + points / own[group])
    # While all names are held nothing is printed, and none has a weight. An index that has no beginning any more has the
    # shares of its definition, as before the first print.
    standing = index.standing()
    weights = {name: line.weight for name, line in standing.items()} if standing else published
    for name in span[-1]["lines"]:
        if name.endswith(" before"):
            continue
        weight[group_of(name)] = weight.get(group_of(name), Decimal(0)) + weights.get(name, Decimal(0))
    theirs = {row["group"]: row for row in rows}
    compared.same("groups", ticker, sorted(weight.keys() | added.keys()), sorted(theirs))
    for group, row in theirs.items():
        where, change = f"{ticker} {group}", added.get(group, Decimal(0))
        compared.number("weight of a group", where, weight.get(group, Decimal(0)), row["weight"])
        compared.written("point change of a group", where, change, row["point_change"], 6)
        percent = 100 * (linked.get(group, Decimal(1)) - 1) if at_close.get(group, 0) > 0 else None
        compared.written("percent change of a group", where, percent, row.get("percent_change"), 6)
