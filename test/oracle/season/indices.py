"""What all indices have in common, and baskets, composites and total returns, print by print."""

from copy import copy
from decimal import Decimal
from typing import NamedTuple, Optional

from facts import DAY, instant
from marks import HALF_CENT, Mark, for_index
from weights import next_rebalance, number, target_weights


class Entry(NamedTuple):
    """A name in a print."""

    state: str
    weight: Decimal
    quantity: Decimal
    price: Optional[Decimal] = None
    basis: Optional[str] = None
    observed: Optional[int] = None
    spread: Optional[Decimal] = None
    reason: Optional[str] = None


class Line:
    """A name with what is held of it and its last good mark."""

    def __init__(self, name, quantity=Decimal(0)):
        self.name, self.quantity = name, quantity
        self.mark, self.state, self.reason = None, "unpriced", None

    def read(self, reading):
        kind, found = reading
        self.reason = None
        if kind == "good":
            self.mark = found
            self.state = "included" if self.quantity > 0 else "unpriced"
        elif kind == "settled":
            self.mark, self.state = found, "settled"
        else:
            self.reason = found
            self.state = "excluded" if self.quantity > 0 else "unpriced"
            if self.quantity == 0:
                self.mark = None

    @property
    def price(self):
        return None if self.mark is None else self.mark.price

    @property
    def value(self):
        return self.quantity * self.price if self.quantity > 0 and self.price is not None else Decimal(0)

    def entry(self, weight):
        if self.mark is None:
            return Entry(self.state, weight, self.quantity)
        basis = "held" if self.state == "excluded" else self.mark.basis
        mark = self.mark
        return Entry(self.state, weight, self.quantity, mark.price, basis, mark.at, mark.spread, self.reason)

    def gone(self, state):
        """How a name stands in the print in which it left."""
        return self.entry(Decimal(0))._replace(state=state, quantity=Decimal(0))


def before_link(name):
    """The key under which a print has a linked gauge as it was held until then."""
    return f"{name} before"


def as_held(lines, name):
    """A name in a print, at the mark of what was held of it before."""
    return lines.get(before_link(name)) or lines.get(name)


def unlinked(level, then, now):
    """What was held of a gauge at an earlier print is worth at one with this level; None if no steps moved it between.
    Steps that both ledgers begin with cancel out."""
    shared = 0
    while shared < min(len(then), len(now)) and then[shared] == now[shared]:
        shared += 1
    if len(then) == len(now) == shared:
        return None
    for _at, _reason, before, after in reversed(now[shared:]):
        # What was held before a step to 0 is worth the level before it.
        level = level * before / after if after > 0 else before
    for _at, _reason, before, after in then[shared:]:
        if before > 0 and after > 0:
            level = level * after / before
    return level


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
    """Something that says there is a print: a newer observation or another mark of an included name, or a change of state."""
    for line in lines:
        then = before.get(line.name)
        if then is None or then[0] != line.state:
            return True
        if line.state == "included" and (line.mark.at > then[1] or line.price != then[2]):
            return True
    return False


def by_reason(settled):
    """What settles goes before what is taken out."""
    stated = [line for line in settled if line.mark.basis == "stated"]
    return ("settlement", [line for line in settled if line not in stated]), ("deletion", stated)


def seen(lines):
    return {line.name: (line.state, line.mark and line.mark.at, line.price) for line in lines}


def entries(lines):
    """Names with their shares of the value that is included."""
    included = sum((line.value for line in lines if line.state == "included"), Decimal(0))
    return {
        line.name: line.entry(line.value / included if line.state == "included" and included > 0 else Decimal(0))
        for line in lines
    }


def priced(definition):
    """What a reconstitution changes: names in their order, weights, weighting; no texts, limits of checks, deletions."""
    weighting = definition.get("weighting") or {}
    names = [
        (each["market_id"], each.get("weight"), each.get("attributes"), "categories" in weighting and each["groups"])
        for each in definition["constituents"]
        if each["status"] == "included"
    ]
    return names, weighting


def no_price(print_):
    """Why a print of a rate is no price for an index: no source has a trade, or a book of two sides."""
    inside = [each for each in print_["sources"].values() if each.state == "included"]
    bases = {each.mark.basis for each in inside if each.weight > 0}
    if bases - {"floor", "bid", "ask"}:
        return None
    return "no_book" if bases == {"floor"} else "one_sided_book"


class Index:
    """Names, times, versions of the definition, the ledger of steps, and what a name's book says."""

    def __init__(self, facts, versions, times, printed, newest):
        self.facts, self.versions, self.times = facts, versions, times
        # What others printed first, and the newest revisions of it.
        self.printed, self.newest = printed, newest
        self.steps, self.edits = [], []
        self.take(versions[0][1])
        self.begin()

    def take(self, definition):
        self.definition = definition
        self.names = [each for each in definition["constituents"] if each["status"] == "included"]
        self.members = [each["market_id"] for each in self.names]

    def version(self, at):
        counting = [definition for since, definition in self.versions if since <= at]
        return counting[-1] if counting else self.versions[0][1]

    def follow(self, at):
        """Takes a version that prices the same names by the same weights, without a step; False where it does not."""
        newest = self.version(at)
        if newest is self.definition:
            return True
        if priced(newest) != priced(self.definition):
            return False
        self.edits.append((at, self.definition, newest))
        self.take(newest)
        return True

    def step(self, at, reason, names):
        self.steps.append((at, reason, frozenset(names)))

    def reading(self, name, at):
        """What a name says, or the price at which it was taken out, unless it had settled by then."""
        found, stated = self.quoted(name, at), self.stated(name, at)
        if stated is None or found[0] == "settled" and found[1].at <= stated.at:
            return found
        return "settled", stated

    def stated(self, name, at):
        for each in self.version(at).get("deletions", []):
            since = instant(each["at"])
            if each["market_id"] == name and since <= at:
                return Mark(number(each["price_cents"]) / 100, "stated", since)
        return None

    def quoted(self, name, at):
        kind, _, ticker = name.partition(":")
        if kind not in ("rate", "index"):
            return for_index(self.facts.market(name), at, self.version(at)["book_check"])
        prints = self.printed[kind][ticker]
        last = prints.newest(at)
        if last is None:
            return "failed", "no_book"
        paid = self.rate_payoff(self.facts.definition("rate", ticker), at) if kind == "rate" else None
        if paid:
            return "settled", paid
        if kind == "index" and prints[last]["level"] == 0:
            return "settled", Mark(Decimal(0), "settlement", last)
        failed = no_price(prints[last]) if kind == "rate" else None
        if failed != "no_book" and at - last > 7 * DAY:
            return "failed", "stale_quote"
        if failed:
            return "failed", failed
        return "good", Mark(prints[last]["level" if kind == "index" else "price"], "print", last)

    def rate_payoff(self, rate, at):
        """What the sources pay that a rate stands for, by their catalog shares, once all have settled."""
        own = [each for each in rate["sources"] if rate["methodology"] != "win_total" or each["line"] == rate["line"]]
        if rate["methodology"] == "rolling":
            own = own[-1:]
        lives = [market.life(at) if market else ("unknown",) for market in (self.facts.market(s["market_id"]) for s in own)]
        if any(life[0] != "settled" for life in lives):
            return None
        pays = [1 - life[1] if each.get("side") == "no" else life[1] for each, life in zip(own, lives)]
        shares = [number(each.get("weight", 1)) for each in own]
        paid = sum(share * pay for share, pay in zip(shares, pays)) / sum(shares)
        return Mark(paid, "settlement", max(life[2] for life in lives))


class Basket(Index):
    """L = (sum n q + C) / D. Quantities change only at the base, an admission, a settlement or a rebalance."""

    def begin(self):
        self.lines = None
        # Of each linking the instant, the gauge, the last reason for which that had moved, and what was held was worth.
        self.links = []

    def calculate(self, at, again=False):
        self.paid, self.departed, self.linked = [], [], []
        if self.lines is None:
            moved = self.open(at)
        else:
            before = seen(self.lines)
            stepped = self.go_on(at)
            included = any(line.state == "included" for line in self.lines)
            moved = again or bool(self.paid) or included and (stepped or is_newer(before, self.lines))
        return self.show() if moved else None

    def show(self):
        included = sum((line.value for line in self.lines if line.state == "included"), Decimal(0))
        whole = sum((line.value for line in self.lines), Decimal(0)) + self.cash
        gone = {line.name: line.gone("settled") for line in self.paid}
        gone |= {line.name: line.gone("departed") for line in self.departed}
        gone |= {before_link(line.name): line.gone("departed") for line in self.linked}
        return {
            "level": self.level,
            "coverage": included / whole if whole > 0 else Decimal(0),
            "cash": self.cash,
            "divisor": self.divisor,
            "lines": {**entries(self.lines), **gone},
        }

    def standing(self):
        """The names as they stand after the last calculation; None before the first print."""
        return None if self.lines is None else entries(self.lines)

    def enter(self, at):
        """The names of the definition, known ones with what is known of them, without those that have settled."""
        known = {line.name: line for line in self.lines or []}
        lines = []
        for name in self.members:
            line = known.get(name) or Line(name)
            if name not in known:
                line.read(self.reading(name, at))
            if line.state != "settled":
                lines.append(line)
        return lines

    def open(self, at):
        self.take(self.version(at))
        self.lines = self.enter(at)
        self.level = number(self.definition.get("base_level", 1000))
        if self.constitute(at):
            self.step(at, "base", [line.name for line in self.lines if line.quantity > 0])
            return True
        self.lines = None
        return False

    def constitute(self, at):
        """New quantities at the level; waits while no name has a good mark."""
        good = [line for line in self.lines if line.price is not None]
        if not any(self.reading(line.name, at)[0] == "good" for line in good):
            return False
        weights = self.targets([line.name for line in good], at)
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

    def targets(self, names, at):
        return target_weights(self.definition, names, lambda name: self.size(name, at))

    def size(self, name, at):
        """Lifetime volume or open interest, as known at the instant."""
        market = self.facts.market(name)
        if market is None:
            return None
        if self.definition["weighting"]["scheme"] == "volume":
            return market.volume(at)
        row = market.newest("interests", at)
        return row and row["open_interest"]

    def go_on(self, at):
        held = [(line, self.worth(line, at)) for line in self.lines]
        for line, worth in held:
            kind, found = self.reading(line.name, at)
            if worth is not None and kind != "failed":
                ended = worth == 0 or found.price == 0
                kind, found = "settled" if ended else kind, found._replace(price=worth, basis="settlement" if ended else found.basis)
            line.read((kind, found))
        self.level = (sum((line.value for line in self.lines), Decimal(0)) + self.cash) / self.divisor
        linking = self.link([line for line, worth in held if worth is not None and line.state == "included"], at)
        out = [line for line in self.lines if line.state == "settled"]
        self.paid = [line for line in out if line.quantity > 0]
        for reason, leaving in by_reason(out):
            self.lines = [line for line in self.lines if line not in leaving]
            held = [line for line in leaving if line.quantity > 0]
            if held:
                self.settle(sum(line.value for line in held))
                self.step(at, reason, [line.name for line in held])
        if self.level <= 0:
            return False
        if not self.follow(at):
            # While a reconstitution waits nothing is admitted.
            return self.reconstitute(at) or linking
        return self.rebalance(at) | self.admit_all(at) | linking

    def worth(self, line, at):
        """What is held of a gauge is worth a unit at its last print, if steps have moved it since the print used last."""
        kind, _, ticker = line.name.partition(":")
        if kind != "index" or line.quantity == 0 or line.mark is None:
            return None
        prints = self.printed[kind][ticker]
        then, now = prints[line.mark.at], prints[prints.newest(at)]
        return unlinked(now["level"], getattr(then, "moves", ()), getattr(now, "moves", ()))

    def link(self, lines, at):
        """Gauges that have moved without a move of their prices: as much of them as what was held is worth."""
        for line in lines:
            self.linked.append(copy(line))
            kind, _, ticker = line.name.partition(":")
            now = self.printed[kind][ticker][line.mark.at]
            why = now.moves[-1][1] if now.moves else "a restatement"
            self.links.append((at, line.name, why, line.price))
            line.quantity = line.value / now["level"]
            line.mark = line.mark._replace(price=now["level"])
            self.step(at, "linking", [line.name])
        return bool(lines)

    def reconstitute(self, at):
        """The names of the changed definition, at the level; names that are left out stand as departed."""
        earlier, lines = self.definition, self.lines
        self.take(self.version(at))
        self.lines = self.enter(at)
        if not self.constitute(at):
            self.take(earlier)
            self.lines = lines
            return False
        self.departed = [line for line in lines if line.quantity > 0 and line.name not in self.members]
        self.step(at, "reconstitution", [])
        self.admit_all(at)
        return True

    def rebalance(self, at):
        calendar = self.definition["weighting"].get("rebalances")
        if not calendar or next_rebalance(calendar, self.constituted) > at:
            return False
        lines, self.lines = self.lines, self.enter(at)
        if not self.constitute(at):
            self.lines = lines
            return False
        self.step(at, "rebalance", [line.name for line in self.lines if line.quantity > 0])
        return True

    def admit_all(self, at):
        entering = [line for line in self.lines if line.quantity == 0 and line.price is not None]
        for line in entering:
            self.admit(line, at)
        if entering:
            self.step(at, "admission", [line.name for line in entering])
        return bool(entering)

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

    def admit(self, line, at):
        """The others' quantities stand; cash that waited is in the new divisor."""
        held = [each for each in self.lines if each.quantity > 0]
        value = sum((each.value for each in held), Decimal(0))
        weights = self.targets([each.name for each in held] + [line.name], at)
        if self.definition["weighting"].get("by") == "quantity":
            line.quantity = weights[-1]
        elif value == 0:
            line.quantity = self.level * self.divisor / line.price
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


class TotalReturn(Index):
    """Goes with the names that the base index held at its print before, payoffs included, idle cash left out. What was
    paid waits while no name can take it."""

    def begin(self):
        self.level, self.before, self.last = number(self.definition["base_level"]), None, None
        self.waiting = Decimal(0)

    def calculate(self, at, again=False):
        now = self.newest[self.definition["base_index_id"]].get(at)
        if now is None:
            return None
        if self.before is None:
            self.step(at, "base", self.members)
            self.waiting = self.level * now["cash"] / now["divisor"] / now["level"]
        else:
            held = {name: each for name, each in self.before["lines"].items() if each.quantity > 0}
            then = sum(each.quantity * each.price for each in held.values())
            if then > 0:
                worth = {name: each.quantity * as_held(now["lines"], name).price / then for name, each in held.items()}
                gone = [name for name in held if now["lines"][name].state in ("settled", "departed")]
                invested = self.level - self.waiting
                self.level = self.waiting + invested * sum(worth.values())
                self.waiting += invested * sum(worth[name] for name in gone)
        if now["cash"] == 0 or any(
            each.state == "included" and each.price >= HALF_CENT for each in now["lines"].values()
        ):
            self.waiting = Decimal(0)
        self.before = now
        invested = self.level - self.waiting
        units = invested / now["level"] if now["level"] > 0 else Decimal(0)
        self.last = Entry("included", Decimal(1), units, now["level"], "print", at)
        return {
            "level": self.level,
            "coverage": invested / self.level if self.level > 0 else Decimal(0),
            "divisor": Decimal(1),
            "lines": {self.members[0]: self.last},
        }

    def standing(self):
        return {self.members[0]: self.last} if self.last else None
