"""What a service printed that calculated run by run, each with what was known then: first prints, and revisions of them
where something had become known late."""

from copy import copy

from indices import Line
from prints import Prints, differs

# What an index or a rate was given, beside how it stands.
GIVEN = {"facts", "versions", "times", "printed", "newest", "ticker"}


class History:
    """An index or a rate: of each instant the revisions of its print, oldest first."""

    def __init__(self, kind, machine, runs):
        self.kind, self.machine, self.keeps = kind, machine, runs > 1
        self.field = "price" if kind == "rate" else "level"
        self.revisions, self.restatements = {}, []
        # Of a rate, which prints are half cents or have replaced them.
        self.half_cents = set()
        # The instants that were calculated, and how it stood before each.
        self.before, self.done = {}, None

    def newest(self):
        return {at: each[-1] for at, each in self.revisions.items()}

    def first(self):
        return {at: next(filter(None, each)) for at, each in self.revisions.items()}

    def run(self, now):
        """Goes on to the instant of a run."""
        times = [at for at in self.machine.times if at <= now and (self.done is None or at > self.done)]
        self.calculate(times, set(), now)
        self.done = now

    def recalculate(self, since, reasons, now, every=None, until=0):
        """Calculates all from an instant on once more, also at the whole steps of an interval up to an instant or the last
        that was calculated; a rate from the half-cent prints before, its steps too."""
        first = min(self.before, default=None)
        if first is None:
            return
        for _again in range(2):
            steps = self.steps(max(since, first), every, min(until, self.done)) if every else set()
            later = sorted({at for at in self.before if at >= since} | steps)
            if not later:
                return
            self.stand_before(later[0])
            floors = getattr(self.machine, "floors", [])
            since = floors[0] if floors else since
        self.calculate(later, reasons, now)

    @staticmethod
    def steps(since, every, until):
        step = every * 60_000
        return set(range(-(-since // step) * step, until + 1, step))

    def stand_before(self, at):
        """How it stood when the first instant from this one on was to be calculated."""
        vars(self.machine).update(kept(self.before[min(each for each in self.before if each >= at)]))

    def calculate(self, times, reasons, now):
        found = {}
        for at in times:
            if self.keeps:
                self.before[at] = kept(vars(self.machine))
            print_ = self.machine.calculate(at, at in self.revisions)
            if print_ is not None:
                found[at] = print_
                (self.half_cents.add if at in getattr(self.machine, "floors", []) else self.half_cents.discard)(at)
            elif self.kind == "rate" and at in self.revisions:
                # What was printed there stands: half cents for the next price, or the price for those before.
                if at in self.half_cents:
                    self.machine.floors = [*self.machine.floors, at]
                else:
                    found.update(dict.fromkeys(self.machine.floors, self.revisions[at][-1]))
                    self.machine.floors = []
            for each, real in getattr(self.machine, "replaced", {}).items():
                if each in found and not reasons:
                    self.revisions[each] = [found.pop(each)]
                found[each] = real
        stood = Prints(self.newest())
        self.standing = {at: stood[stood.newest(at)] for at in found if stood.newest(at) is not None}
        for at in sorted(found):
            self.revise(at, found[at], reasons, now)

    def revise(self, at, print_, reasons, now):
        """A revision beside what stood; an instant that a recalculation adds has the value that stood then as its first."""
        known = self.revisions.get(at)
        if known and not differs(known[-1], print_):
            return
        if known or reasons:
            old = known[-1] if known else self.standing.get(at, print_)
            self.restatements.append((at, len(known or [0]), old[self.field], print_[self.field], reasons or {"half_cent_replaced"}, now))
        self.revisions[at] = [*(known or [None] * bool(reasons)), print_]


def kept(state):
    """A copy of how an index or a rate stands; each of its names is one object."""
    names = {}
    return {field: copied(value, names) for field, value in state.items() if field not in GIVEN}


def copied(value, names):
    if isinstance(value, Line):
        return names.setdefault(id(value), copy(value))
    if isinstance(value, list):
        return [copied(each, names) for each in value]
    if isinstance(value, dict) and all(isinstance(each, Line) for each in value.values()):
        return {key: copied(each, names) for key, each in value.items()}
    return value
