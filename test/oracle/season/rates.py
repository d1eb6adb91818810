"""Rates, print by print: price, spread and the weights of the sources."""

from decimal import Decimal
from statistics import median

from facts import DAY, HOUR, instant
from marks import for_rate

PART = HOUR // 12


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
    def __init__(self, facts, definition, times):
        self.definition, self.times = definition, times
        self.sources = definition["sources"]
        self.markets = [facts.market(source["market_id"]) for source in self.sources]
        self.family = definition["methodology"]
        if self.family in ("volume_weighted", "claim_price", "team_sleeve"):
            self.volumes = [market.volumes(times) if market else None for market in self.markets]

    def prints(self):
        """{at: (price, spread, weights)}; a print only when a source in it is newer or has changed its state."""
        found, before, self.revised, floors = {}, None, {}, []
        for at in self.times:
            marks = [for_rate(market, at) for market in self.markets]
            kept = self.gate(marks)
            if not any(kept):
                continue
            priced = self.price(kept, at)
            if priced is None:
                continue
            price, weights = priced
            state = [
                None if mark is None else ("in", mark[2]) if weight is not None else ("consulted", None)
                for mark, weight in zip(marks, weights)
            ]
            if before is not None and not self.newer(before, state):
                continue
            before = state
            inside = [mark[0] for mark, weight in zip(marks, weights) if weight is not None]
            catalog = self.catalog(at)
            shown = [catalog[i] if not mark else weight for i, (mark, weight) in enumerate(zip(marks, weights))]
            found[at] = (price, max(inside) - min(inside), shown)
            # The first real price replaces the half-cent prints right before it.
            if all(mark[1] == "floor" for mark, weight in zip(marks, weights) if weight is not None):
                floors.append(at)
            else:
                self.revised.update(dict.fromkeys(floors, found[at]))
                floors = []
        return found

    def gate(self, marks):
        """Drops sources far from the median, where the definition says so and most of three or more agree."""
        gate = self.definition.get("outlier_gate")
        known = sorted(mark[0] for mark in marks if mark)
        if not gate or not gate["drop"] or len(known) < 3:
            return marks
        middle, limit = median(known), Decimal(str(gate["limit_cents"])) / 100
        far = [mark is not None and abs(mark[0] - middle) > limit for mark in marks]
        return [None if out else mark for mark, out in zip(marks, far)] if 2 * sum(far) < len(known) else marks

    @staticmethod
    def newer(before, after):
        for then, now in zip(before, after):
            if (then and then[0]) != (now and now[0]):
                return True
            if now and now[0] == "in" and now[1] > then[1]:
                return True
        return False

    def catalog(self, at):
        """Weights of sources that did not enter; a consulted one shows None, for it is not compared."""
        if self.family == "rolling":
            return self.turns(at)
        if self.family == "win_total":
            own = [source["line"] == self.definition["line"] for source in self.sources]
            return shares_of([Decimal(each) for each in own])
        return shares_of([Decimal(str(source.get("weight", 1))) for source in self.sources])

    def price(self, marks, at):
        """(price, weight of each source or None where it has no part)."""
        if self.family == "win_total":
            return self.win_total(marks)
        if self.family == "robust_median":
            return self.robust_median(marks, at)
        if self.family == "rolling":
            parts = self.turns(at)
        elif self.family in ("volume_weighted", "claim_price", "team_sleeve"):
            parts = [volume and volume[at] for volume in self.volumes]
            known = all(part is not None for part, mark in zip(parts, marks) if mark)
            if not known or sum(part for part, mark in zip(parts, marks) if mark) == 0:
                parts = [Decimal(str(source.get("weight", 1))) for source in self.sources]
        else:
            parts = [Decimal(1)] * len(marks)
        parts = [part if mark else None for part, mark in zip(parts, marks)]
        if self.family == "rolling":
            parts = [part or None for part in parts]
        whole = sum(part for part in parts if part is not None)
        if whole == 0:
            return None
        weights = [None if part is None else part / whole for part in parts]
        return sum(mark[0] * weight for mark, weight in zip(marks, weights) if weight is not None), weights

    def turns(self, at):
        """Each contract has its turn until its roll_at; a blend goes over in the days before it."""
        roll = self.definition["roll"]
        shares = [Decimal(0)] * len(self.sources)
        for i, source in enumerate(self.sources):
            ends = instant(source["roll_at"]) if "roll_at" in source else None
            if ends is not None and at >= ends:
                continue
            shares[i] = Decimal(1)
            if ends is not None and roll["kind"] == "linear_blend" and at > ends - roll["days"] * DAY:
                left = Decimal(ends - at) / (roll["days"] * DAY)
                shares[i], shares[i + 1] = left, 1 - left
            break
        return shares

    def win_total(self, marks):
        lines = sorted({source["line"] for source, mark in zip(self.sources, marks) if mark})
        own = self.definition["line"]
        if own not in lines:
            return None
        chances = []
        for line in lines:
            at_line = [(s["side"], m[0]) for s, m in zip(self.sources, marks) if m and s["line"] == line]
            yes = [price for side, price in at_line if side == "yes"]
            no = [price for side, price in at_line if side == "no"]
            assert not no, "the season has no ladder of both sides"
            chances.append(sum(yes) / len(yes))
        for value, places in isotonic_falling(chances):
            pooled = [lines[place] for place in places]
            if own not in pooled:
                continue
            taking = [mark is not None and s["line"] in pooled for s, mark in zip(self.sources, marks)]
            return value, [Decimal(1) / sum(taking) if each else None for each in taking]

    def robust_median(self, marks, at):
        """The mean of twelve medians by time; no market of the season has two quotes within five minutes."""
        medians, shares = [], []
        for part in range(12):
            start = at - HOUR + part * PART
            stood = [
                self.standing(market, start, start + PART) if mark else []
                for market, mark in zip(self.markets, marks)
            ]
            spans = sorted((price, length) for each in stood for price, length in each)
            whole = sum(length for _price, length in spans)
            if whole == 0:
                continue
            medians.append(self.weighted_median(spans, whole))
            shares.append([Decimal(sum(length for _price, length in each)) / whole for each in stood])
        if not medians:
            return None
        weights = [sum(each[i] for each in shares) / len(shares) for i in range(len(self.markets))]
        return sum(medians) / len(medians), [weight if mark else None for weight, mark in zip(weights, marks)]

    @staticmethod
    def standing(market, start, end):
        """(mark, how long it stood) within a part of the hour."""
        if market is None:
            return []
        changes = [start, *[t for t in market.times if start < t < end], end]
        found = []
        for begins, ends in zip(changes, changes[1:]):
            mark = for_rate(market, begins)
            if mark:
                found.append((mark[0], ends - begins))
        return found

    @staticmethod
    def weighted_median(spans, whole):
        passed = 0
        for i, (price, length) in enumerate(spans):
            passed += length
            if 2 * passed == whole:
                return (price + spans[i + 1][0]) / 2
            if 2 * passed > whole:
                return price
