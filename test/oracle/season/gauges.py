"""Gauges, print by print."""

from copy import copy
from decimal import Decimal

from indices import Index, Line, is_newer, seen
from marks import FINAL
from prints import NOISE
from weights import target_weights


class Moved(dict):
    """A print, with the steps that had moved the gauge up to it: (instant, reason, level before, level after)."""

    moves = ()


class Gauge(Index):
    """100 times the weighted mean of all names that ever had a good mark; centred: from 50 on."""

    def begin(self):
        self.lines, self.before, self.moves = {}, None, ()

    def calculate(self, at, again=False):
        due = not self.follow(at)
        if due and self.before is None:
            # What has not begun yet has nothing to change.
            self.take(self.version(at))
            self.lines, due = {}, False
        stood = self.stood(at)
        changed = due and self.change(at)
        # While a change waits the names of before go on, and none is admitted.
        self.read(at, [name for name, line in self.lines.items() if line.mark] if due and not changed else self.members)
        known = [line for line in self.lines.values() if line.mark is not None]
        if not known:
            return None
        self.weigh()
        # A settled name stays in at its payoff, a deleted one at its stated price: it is in the print of its own
        # instant and in every later one.
        before, now = self.before, seen(self.lines.values())
        paid = before is not None and any(
            line.mark and line.mark.basis in FINAL and before[name][3] != line.mark.basis
            for name, line in self.lines.items()
            if name in before
        )
        if not changed:
            self.ledger(at, before, known)
        if self.steps and self.steps[-1][0] == at and before is not None and abs(stood - self.level(known)) > NOISE:
            self.moves = (*self.moves, (at, self.steps[-1][1], stood, self.level(known)))
        newer = again or before is None or changed or is_newer(before, self.lines.values())
        included = any(line.state == "included" for line in known)
        self.before = {name: (*now[name], line.mark and line.mark.basis) for name, line in self.lines.items()}
        return self.show(known) if again or paid or included and newer else None

    def stood(self, at):
        """The level of the names and weights of before at the marks of an instant; None if there were none."""
        if self.before is None:
            return None
        self.weigh()
        earlier, self.lines = self.lines, {name: copy(line) for name, line in self.lines.items() if line.mark}
        self.read(at, list(self.lines))
        level = self.level(self.lines.values())
        self.lines = earlier
        return level

    def level(self, known):
        """The weighted mean of names, in the convention of the gauge."""
        mean = sum(line.quantity * line.price for line in known) / sum(line.quantity for line in known)
        return 50 + 100 * mean if self.definition["quote_convention"] == "centred" else 100 * mean

    def change(self, at):
        """A changed definition waits for a good mark of one of its names; names that it leaves out are gone."""
        earlier = self.definition
        self.take(self.version(at))
        if all(self.reading(name, at)[0] == "failed" for name in self.members):
            self.take(earlier)
            return False
        self.lines = {name: line for name, line in self.lines.items() if name in self.members}
        self.step(at, "reconstitution", [])
        return True

    def reading(self, name, at):
        """What was never in is not brought in by being taken out."""
        kind, mark = super().reading(name, at)
        known = name in self.lines and self.lines[name].mark is not None
        return ("failed", None) if kind == "settled" and mark.basis == "stated" and not known else (kind, mark)

    def read(self, at, names):
        for name in names:
            line = self.lines.setdefault(name, Line(name))
            kind, mark = self.reading(name, at)
            line.reason = None
            if name.startswith("rate:") and line.mark and line.mark.basis == "settlement":
                # A rate has paid for good.
                continue
            if kind in ("good", "settled"):
                line.mark, line.state = mark, "included"
            else:
                line.reason = mark
                if line.mark is not None:
                    line.state = "excluded"

    def ledger(self, at, before, known):
        if before is None:
            self.step(at, "base", [line.name for line in known])
            return
        entered = [line.name for line in known if before.get(line.name, (None, None, None))[2] is None]
        if entered:
            self.step(at, "admission", entered)

    def show(self, known):
        whole = sum(line.quantity for line in known)
        print_ = Moved(
            level=self.level(known),
            coverage=sum(line.quantity for line in known if line.state == "included") / whole,
            divisor=Decimal(1),
            lines=self.entries(),
        )
        print_.moves = self.moves
        return print_

    def weigh(self):
        """Target weights of all names of the definition, priced yet or not."""
        weights = dict(zip(self.members, target_weights(self.definition, self.members, None)))
        for line in self.lines.values():
            line.quantity = weights[line.name]

    def entries(self):
        inside = sum(line.quantity for line in self.lines.values() if line.state == "included")
        return {
            line.name: line.entry(line.quantity / inside if line.state == "included" else Decimal(0))
            for line in self.lines.values()
        }

    def standing(self):
        known = [line for line in self.lines.values() if line.mark is not None]
        if not known:
            return None
        self.weigh()
        return self.entries()
