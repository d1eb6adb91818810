"""Rates, print by print: price, spread and what each source has in it."""

from decimal import Decimal
from statistics import median
from typing import NamedTuple, Optional

from facts import DAY, instant
from marks import HALF_CENT, Mark, for_rate
from medians import robust_median

BY_VOLUME = ("volume_weighted", "claim_price", "team_sleeve")


class Source(NamedTuple):
    """A source in a print; its weight is None where it has no part in it."""

    state: str
    weight: Optional[Decimal]
    mark: Optional[Mark]
    volume: Optional[Decimal]
    outlier: bool
    # What it would weigh by the definition, where it has no part.
    catalog: Optional[Decimal]


def shares_of(weights):
    whole = sum(weights)
    return [weight / whole for weight in weights]


def isotonic_falling(values):
    """Least-squares fit that never rises: neighbours that rise are pooled at their mean. [(mean, places)]"""
    pools = []
    for place, value in enumerate(values):
        pools.append([value, [place]])
        while len(pools) > 1 and pools[-2][0] < pools[-1][0]:
            mean, places = pools.pop()
            before, earlier = pools[-1]
            whole = before * len(earlier) + mean * len(places)
            pools[-1] = [whole / (len(earlier) + len(places)), earlier + places]
    return pools


class Rate:
    """What it was when it was last calculated: who stood in the last print, and the half-cent prints right before now."""

    def __init__(self, facts, ticker, times):
        self.facts, self.ticker, self.times = facts, ticker, times
        self.steps, self.before, self.floors, self.replaced = [], None, [], {}
        # The instants whose print went by trades.
        self.traded, self.by_trades = False, set()
        self.take(facts.definition("rate", ticker))

    def take(self, definition):
        self.definition, self.sources, self.family = definition, definition["sources"], definition["methodology"]
        self.markets = [self.facts.market(source["market_id"]) for source in self.sources]

    def calculate(self, at, again=False):
        """The print of an instant: there is one when a source in it is newer, has another mark or has changed its state,
        and where there was one before."""
        self.take(self.facts.rate(self.ticker, at))
        self.replaced = {}
        marks = [self.mark(i, at) for i in range(len(self.sources))]
        far, kept = self.gate(marks)
        priced = self.price(kept, at) if any(kept) else None
        if priced is None:
            return None
        price, weights = priced
        state = {
            source["market_id"]: ("in", mark.at, mark.price) if weight is not None else ("consulted", None)
            for source, mark, weight in zip(self.sources, marks, weights)
            if mark is not None
        }
        if self.before is not None and not again and not self.newer(self.before, state):
            return None
        self.before = state
        inside = [mark for mark, weight in zip(marks, weights) if weight is not None]
        catalog = self.catalog(at)
        found = {
            "price": price,
            "spread": max(mark.price for mark in inside) - min(mark.price for mark in inside),
            "sources": {
                source["market_id"]: self.source(i, at, marks[i], weights[i], far[i], catalog[i])
                for i, source in enumerate(self.sources)
            },
        }
        if self.traded:
            self.by_trades.add(at)
        # The first real price replaces the half-cent prints right before it.
        if price == HALF_CENT and all(mark.basis == "floor" for mark in inside):
            self.floors = [*self.floors, at]
        else:
            self.replaced, self.floors = dict.fromkeys(self.floors, found), []
        return found

    def mark(self, i, at):
        """A contract of the No side stands in the print at what it says of Yes: 1 - n, an ask as a bid."""
        mark = for_rate(self.markets[i], at)
        if mark is None or self.sources[i].get("side") != "no":
            return mark
        if mark.basis == "floor":
            return None
        return mark._replace(price=1 - mark.price, basis={"bid": "ask", "ask": "bid"}.get(mark.basis, mark.basis))

    def source(self, i, at, mark, weight, far, catalog):
        state = "included" if weight is not None else "consulted" if mark else "out"
        known = self.family in BY_VOLUME and self.markets[i] and weight is not None
        volume = self.markets[i].volume(at) if known else None
        return Source(state, weight, mark, volume, far, catalog if weight is None else None)

    def gate(self, marks):
        """Which sources are far from the median, and the marks without those that are dropped for it."""
        gate = self.definition.get("outlier_gate")
        known = sorted(mark.price for mark in marks if mark)
        if not gate or not known:
            return [False] * len(marks), marks
        middle, limit = median(known), Decimal(str(gate["limit_cents"])) / 100
        far = [mark is not None and abs(mark.price - middle) > limit for mark in marks]
        if not gate["drop"] or len(known) < 3 or 2 * sum(far) >= len(known):
            return far, marks
        return far, [None if out else mark for mark, out in zip(marks, far)]

    @staticmethod
    def newer(before, after):
        if any(name not in after for name in before):
            return True
        for name, now in after.items():
            then = before.get(name)
            if then is None or then[0] != now[0] or now[0] == "in" and (now[1] > then[1] or now[2] != then[2]):
                return True
        return False

    def catalog(self, at):
        """Weights of sources that did not enter."""
        if self.family == "rolling":
            return self.turns(at)
        if self.family == "win_total":
            return shares_of([Decimal(source["line"] == self.definition["line"]) for source in self.sources])
        return shares_of(self.own_weights())

    def own_weights(self):
        return [Decimal(str(source.get("weight", 1))) for source in self.sources]

    def price(self, marks, at):
        """(price, weight of each source or None where it has no part)."""
        if self.family == "win_total":
            return self.win_total(marks)
        if self.family == "robust_median":
            found = robust_median(self.markets, marks, at, self.definition["least_trades"])
            self.traded = found is not None and found[2]
            return found and found[:2]
        if self.family == "rolling":
            parts = self.turns(at)
        elif self.family in BY_VOLUME:
            parts = [market and market.volume(at) for market in self.markets]
            known = all(part is not None for part, mark in zip(parts, marks) if mark)
            if not known or sum(part for part, mark in zip(parts, marks) if mark) == 0:
                parts = self.own_weights()
        else:
            parts = [Decimal(1)] * len(marks)
        parts = [part if mark else None for part, mark in zip(parts, marks)]
        if self.family == "rolling":
            parts = [part or None for part in parts]
        whole = sum(part for part in parts if part is not None)
        if whole == 0:
            return None
        weights = [None if part is None else part / whole for part in parts]
        return sum(mark.price * weight for mark, weight in zip(marks, weights) if weight is not None), weights

    def turns(self, at):
        """Each contract has its turn until its roll_at; a blend goes over in the days before it."""
        roll = self.definition["roll"]
        shares = [Decimal(0)] * len(self.sources)
        for i, source in enumerate(self.sources):
            ends = instant(source["roll_at"]) if "roll_at" in source else None
            if ends is not None and at >= ends:
                continue
            shares[i] = Decimal(1)
            if ends is not None and roll["kind"] == "linear_blend":
                length = round(Decimal(str(roll["days"])) * DAY)
                if at > ends - length:
                    left = Decimal(ends - at) / length
                    shares[i], shares[i + 1] = left, 1 - left
            break
        return shares

    def win_total(self, marks):
        """The value of the own line of the fitted ladder; lines that are pooled with it share it alike."""
        if any(mark and mark.basis != "floor" for mark in marks):
            marks = [mark if mark and mark.basis != "floor" else None for mark in marks]
        lines = sorted({source["line"] for source, mark in zip(self.sources, marks) if mark})
        own = self.definition["line"]
        if own not in lines:
            return None
        ladder = [self.chance(line, marks) for line in lines]
        for value, places in isotonic_falling([chance for chance, _weights in ladder]):
            if own not in [lines[place] for place in places]:
                continue
            weights = [None] * len(marks)
            for place in places:
                for i, weight in ladder[place][1].items():
                    weights[i] = weight / len(places)
            return value, weights

    def chance(self, line, marks):
        """(P(wins >= line), weights of the contracts of a line)."""
        inside = [i for i, source in enumerate(self.sources) if source["line"] == line and marks[i]]
        yes = [i for i in inside if self.sources[i]["side"] == "yes"]
        no = [i for i in inside if self.sources[i]["side"] == "no"]
        if not yes or not no:
            return sum(marks[i].price for i in inside) / len(inside), dict.fromkeys(inside, Decimal(1) / len(inside))
        y = sum(marks[i].price for i in yes) / len(yes)
        n = 1 - sum(marks[i].price for i in no) / len(no)
        weights = dict.fromkeys(yes, n / (y + n) / len(yes)) | dict.fromkeys(no, y / (y + n) / len(no))
        return y / (y + n), weights
