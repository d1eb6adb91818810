"""Baskets, composites, gauges and total returns, print by print, from the methodology document."""

from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from facts import DAY
from marks import HALF_CENT, for_index

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
        at = round(datetime(day.year, day.month, day.day, hour, minute, tzinfo=EASTERN).timestamp() * 1000)
        if due and at > after:
            return at
        day += timedelta(days=1)


class Line:
    """A name with what is held of it and its last good mark."""

    def __init__(self, name, quantity=Decimal(0)):
        self.name, self.quantity = name, quantity
        self.price, self.observed, self.state = None, None, "unpriced"

    def read(self, reading):
        kind = reading[0]
        if kind == "good":
            self.price, self.observed = reading[1], reading[2]
            self.state = "included" if self.quantity > 0 else "unpriced"
        elif kind == "settled":
            self.price, self.observed, self.state = reading[1], reading[2], "settled"
        else:
            self.state = "excluded" if self.quantity > 0 else "unpriced"
            if self.quantity == 0:
                self.price = None

    @property
    def value(self):
        return self.quantity * self.price if self.quantity > 0 and self.price is not None else Decimal(0)


def spend(targets):
    """Quantities that spend values at marks; what the half-cent rule leaves goes to others. (quantities, cash)"""
    quantities = [value / max(price, HALF_CENT) for price, value in targets]
    rest = sum(value for _price, value in targets) - sum(q * n for (q, _v), n in zip(targets, quantities))
    if all(price >= HALF_CENT for price, _value in targets):
        return quantities, Decimal(0)
    above = sum(value for price, value in targets if price > HALF_CENT)
    if above > 0:
        grow = 1 + rest / above
        return [n * grow if price > HALF_CENT else n for (price, _v), n in zip(targets, quantities)], Decimal(0)
    spent = sum(q * n for (q, _v), n in zip(targets, quantities))
    if spent > 0:
        return [n * (spent + rest) / spent for n in quantities], Decimal(0)
    return [Decimal(0) for _n in quantities], rest


def is_newer(before, lines):
    """Something that says there is a print: a newer observation of an included name, or a change of state."""
    for line in lines:
        then = before.get(line.name)
        if then is None or then[0] != line.state:
            return True
        if line.state == "included" and line.observed > then[1]:
            return True
    return False


def prices_of(lines):
    return {line.name: line.price for line in lines if line.price is not None}


def published(lines, part):
    included = sum((part(line) for line in lines if line.state == "included"), Decimal(0))
    return {
        line.name: part(line) / included if line.state == "included" and included > 0 else Decimal(0)
        for line in lines
    }


class Index:
    """What baskets, gauges and team indices have in common: names, times and what a name's book says."""

    def __init__(self, facts, definition, times, printed):
        self.facts, self.definition, self.times, self.printed = facts, definition, times, printed
        self.names = [each for each in definition["constituents"] if each["status"] == "included"]
        self.members = [each["market_id"] for each in self.names]

    def reading(self, name, at):
        if name.startswith("index:"):
            prints = [each for each in self.printed[name[6:]] if each <= at]
            if not prints:
                return "failed", "no_book"
            last = max(prints)
            if at - last > 7 * DAY:
                return "failed", "stale_quote"
            return "good", self.printed[name[6:]][last]["level"], last
        return for_index(self.facts.market(name), at, self.definition["book_check"])


class Basket(Index):
    """L = (sum n q + C) / D. Quantities change only at the base, an admission, a settlement or a rebalance."""

    def prints(self):
        found, self.lines = {}, None
        for at in self.times:
            if self.lines is None:
                if not self.open(at):
                    continue
                paid, moved = [], True
            else:
                before = {line.name: (line.state, line.observed) for line in self.lines}
                paid, stepped = self.go_on(at)
                included = any(line.state == "included" for line in self.lines)
                moved = bool(paid) or included and (stepped or is_newer(before, self.lines))
            if moved:
                found[at] = self.show(paid)
        return found

    def show(self, paid):
        included = sum((line.value for line in self.lines if line.state == "included"), Decimal(0))
        whole = sum((line.value for line in self.lines), Decimal(0)) + self.cash
        weights = published(self.lines, lambda line: line.value)
        return {
            "level": self.level,
            "coverage": included / whole if whole > 0 else Decimal(0),
            "divisor": self.divisor,
            "weights": {**weights, **{name: Decimal(0) for name in paid}},
            "held": [(line.name, line.quantity, line.price) for line in self.lines if line.quantity > 0],
            "prices": {**prices_of(self.lines), **self.paid},
        }

    def open(self, at):
        lines = [Line(name) for name in self.members]
        for line in lines:
            line.read(self.reading(line.name, at))
        self.lines = [line for line in lines if line.state != "settled"]
        self.paid = {}
        self.level = number(self.definition["base_level"])
        if self.constitute(at):
            return True
        self.lines = None
        return False

    def constitute(self, at):
        """New quantities at the level; waits while no name has a good mark."""
        good = [line for line in self.lines if line.price is not None]
        if not any(self.reading(line.name, at)[0] == "good" for line in good):
            return False
        weights = self.shares([line.name for line in good])
        if self.definition["weighting"].get("by") == "quantity":
            quantities, self.cash = weights, Decimal(0)
            self.divisor = sum(n * line.price for n, line in zip(quantities, good)) / self.level
        else:
            whole = sum(weights)
            values = [self.level * weight / whole for weight in weights]
            quantities, self.cash = spend([(line.price, value) for line, value in zip(good, values)])
            self.divisor = Decimal(1)
        for line, quantity in zip(good, quantities):
            line.quantity = quantity
            line.state = "included" if line.state == "unpriced" and quantity > 0 else line.state
        self.constituted = at
        return True

    def shares(self, names):
        """Target weights of some names."""
        weighting = self.definition["weighting"]
        if "categories" in weighting:
            of = {each["market_id"]: each["category"] for each in self.names}
            own = {each["market_id"]: number(each.get("weight", 1)) for each in self.names}
            inside = {}
            for name in names:
                inside[of[name]] = inside.get(of[name], 0) + own[name]
            return [number(weighting["categories"][of[n]]) * own[n] / inside[of[n]] for n in names]
        assert weighting["scheme"] in ("fixed", "equal") and "cap" not in weighting
        if weighting["scheme"] == "equal":
            return [Decimal(1) for _name in names]
        own = {each["market_id"]: number(each["weight"]) for each in self.names}
        return [own[name] for name in names]

    def go_on(self, at):
        for line in self.lines:
            line.read(self.reading(line.name, at))
        self.level = (sum((line.value for line in self.lines), Decimal(0)) + self.cash) / self.divisor
        stepped = False
        settled = [line for line in self.lines if line.state == "settled"]
        self.lines = [line for line in self.lines if line.state != "settled"]
        self.paid = {line.name: line.price for line in settled if line.quantity > 0}
        if self.paid:
            self.settle(sum(line.value for line in settled))
        if self.level > 0:
            calendar = self.definition["weighting"].get("rebalances")
            if calendar and next_rebalance(calendar, self.constituted) <= at:
                stepped = self.constitute(at)
            for line in self.lines:
                if line.quantity == 0 and line.price is not None:
                    self.admit(line)
                    stepped = True
        return list(self.paid), stepped

    def settle(self, paid):
        live = [line for line in self.lines if line.state == "included" and line.price >= HALF_CENT]
        value = sum((line.value for line in live), Decimal(0))
        if value == 0:
            self.cash += paid
            return
        grow = (value + paid) / value
        self.divisor /= grow
        # What was idle before keeps its part of the level.
        self.cash /= grow
        for line in self.lines:
            if line.quantity > 0 and line not in live:
                line.quantity /= grow

    def admit(self, line):
        """The others' quantities stand; cash that waited is in the new divisor."""
        held = [each for each in self.lines if each.quantity > 0]
        value = sum((each.value for each in held), Decimal(0))
        weights = self.shares([each.name for each in held] + [line.name])
        if value == 0:
            line.quantity = self.level * self.divisor / line.price
        elif self.definition["weighting"].get("by") == "quantity":
            line.quantity = weights[-1]
        else:
            share = weights[-1] / sum(weights)
            target = share / (1 - share) * value
            line.quantity = target / max(line.price, HALF_CENT)
            above = [each for each in held if each.price > HALF_CENT]
            rest, whole = target - line.quantity * line.price, sum((each.value for each in above), Decimal(0))
            for each in above if line.price < HALF_CENT else []:
                each.quantity *= 1 + rest / whole
        line.state = "included"
        self.cash = Decimal(0)
        self.divisor = sum((each.value for each in self.lines), Decimal(0)) / self.level


class Gauge(Index):
    """100 times the weighted mean of all names that ever had a good mark; centred: from 50 on."""

    def prints(self):
        found, lines, before = {}, {}, None
        for at in self.times:
            for each in self.names:
                name = each["market_id"]
                kind, *rest = self.reading(name, at)
                weight = number(each["weight"]) if self.definition["weighting"]["scheme"] == "fixed" else Decimal(1)
                line = lines.setdefault(name, Line(name, weight))
                was_paid = line.state == "paid"
                if kind in ("good", "settled"):
                    line.price, line.observed = rest
                    line.state = "included" if kind == "good" else "paid"
                elif line.price is not None and not was_paid:
                    line.state = "excluded"
            known = [line for line in lines.values() if line.price is not None]
            if not known:
                continue
            whole = sum(line.quantity for line in known)
            mean = sum(line.quantity * line.price for line in known) / whole
            now = {
                line.name: ("included" if line.state == "paid" else line.state, line.observed, line.state)
                for line in lines.values()
            }
            included = any(state[0] == "included" for state in now.values())
            paid = before is not None and any(
                state[2] == "paid" and before[name][2] != "paid" for name, state in now.items()
            )
            changed = before is None or any(
                state[0] != before[name][0]
                or state[0] == "included" and state[1] > before[name][1]
                for name, state in now.items()
            )
            before = now
            if not (paid or included and changed):
                continue
            centred = self.definition["quote_convention"] == "centred"
            level = 50 + 100 * mean if centred else 100 * mean
            inside = sum(line.quantity for line in known if now[line.name][0] == "included")
            found[at] = {
                "level": level,
                "coverage": inside / whole,
                "divisor": Decimal(1),
                "prices": prices_of(known),
                "weights": {
                    line.name: line.quantity / inside if now[line.name][0] == "included" else Decimal(0)
                    for line in lines.values()
                },
            }
        return found


class TotalReturn(Index):
    """Goes with the names that the base index held at its print before, payoffs included, idle cash left out."""

    def prints(self):
        base = self.printed[self.definition["base_index_id"]]
        found, level, last = {}, number(self.definition["base_level"]), None
        for at in self.times:
            if at not in base:
                continue
            if last is not None:
                then = sum(quantity * price for _name, quantity, price in base[last]["held"])
                prices = base[at]["prices"]
                now = sum(quantity * prices[name] for name, quantity, _price in base[last]["held"])
                level = level * now / then if then > 0 else level
            last = at
            name = self.members[0]
            found[at] = {
                "level": level,
                "coverage": Decimal(1 if level > 0 else 0),
                "divisor": Decimal(1),
                "weights": {name: Decimal(1)},
                "prices": {name: base[at]["level"]},
            }
        return found
