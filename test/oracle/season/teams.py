"""Team indices (nti), print by print, from the methodology document."""

from decimal import Decimal

from facts import DAY, instant
from indices import Index, Line, by_reason, entries, is_newer, seen
from marks import HALF_CENT
from rates import isotonic_falling

SEATS = ["championship", "conference", "division", "wins", "next_game"]
HALF = Decimal("0.5")


class Team(Index):
    def take(self, definition):
        super().take(definition)
        self.seat_of = {each["market_id"]: each["seat"] for each in self.names}
        self.line_of = {each["market_id"]: each["line"] for each in self.names if each["seat"] == "wins"}
        self.until = {each["market_id"]: instant(each["active_until"]) for each in self.names if "active_until" in each}
        self.since = {each["market_id"]: instant(each["active_from"]) for each in self.names if "active_from" in each}
        self.renewals = [instant(each) for each in definition["reconstitutes_at"]]

    def begin(self):
        self.lines, self.cash, self.pair, self.constituted = None, Decimal(0), [], None

    def calculate(self, at, again=False):
        self.paid, self.departed = [], []
        if self.lines is None:
            self.take(self.version(at))
            self.look(at)
            self.opening = self.opening_level(at)
            moved = self.open(at, self.opening)
        else:
            before = seen(self.lines)
            self.change(at)
            self.look(at)
            # A live series starts anew at 1000, whatever became of the one before.
            if self.due(at) and self.definition["series"] == "live" and self.open(at, Decimal(1000)):
                moved = True
            else:
                stepped = self.go_on(at)
                included = any(line.state == "included" for line in self.lines)
                moved = again or bool(self.paid or self.departed)
                moved = moved or included and (stepped or is_newer(before, self.lines))
        return self.show() if moved else None

    def show(self):
        included = sum((line.value for line in self.lines if line.state == "included"), Decimal(0))
        whole = self.value(self.lines) + self.cash
        gone = {line.name: line.gone("departed") for line in self.departed}
        gone |= {line.name: line.gone("settled") for line in self.paid}
        return {
            "level": self.level,
            "coverage": included / whole if whole > 0 else Decimal(0),
            "divisor": Decimal(1),
            "lines": {**gone, **entries(self.lines)},
        }

    def standing(self):
        return None if self.lines is None else entries(self.lines)

    @staticmethod
    def value(lines):
        return sum((line.value for line in lines), Decimal(0))

    def seat(self, line):
        """The seat that the definition gives a name, eligible or not; None for one that it leaves out."""
        return self.seat_of.get(line.name)

    def of_seat(self, seat):
        return [line for line in self.lines if self.seats[line.name] == seat]

    def opening_level(self, at):
        """The last level above 0 of the .K index in the seven days up to the first print; else 1000."""
        ticker = self.definition["ticker"]
        earlier = {} if "." in ticker else self.newest.get(f"{ticker}.K", {})
        for then in reversed(earlier.instants if earlier else []):
            if then <= at and at - then <= 7 * DAY and earlier[then]["level"] > 0:
                return earlier[then]["level"]
        return Decimal(1000)

    def change(self, at):
        """A changed definition counts from its instant on; what it leaves out departs."""
        if not self.follow(at):
            self.take(self.version(at))

    def eligible(self, name, at):
        return self.since.get(name, at) <= at < self.until.get(name, at + 1)

    def look(self, at):
        """Readings of the eligible names; the marks of the win totals are those of the fitted ladder."""
        self.seats = {**getattr(self, "seats", {}), **self.seat_of}
        self.readings = {name: self.reading(name, at) for name in self.members if self.eligible(name, at)}
        good = [name for name in self.readings if name in self.line_of and self.readings[name][0] == "good"]
        good.sort(key=self.line_of.get)
        for mean, places in isotonic_falling([self.readings[name][1].price for name in good]):
            for name in (good[place] for place in places):
                self.readings[name] = ("good", self.readings[name][1]._replace(price=mean))

    def wanted_pair(self):
        """The lines around the even one, or those of before while something that matters cannot be read."""
        live = {name: each for name, each in self.readings.items() if name in self.line_of and each[0] != "settled"}
        if any(live.get(name, ("gone",))[0] == "failed" for name in self.pair):
            return [name for name in self.pair if name in live]
        good = sorted((name for name, each in live.items() if each[0] == "good"), key=self.line_of.get)
        if len(good) < 2:
            return good
        above = [name for name in good if live[name][1].price >= HALF]
        i = good.index(above[-1]) if above else 0
        i = min(i, len(good) - 2)
        pair = good[i : i + 2]
        low, high = (self.line_of[name] for name in pair)
        between = [name for name in live if low < self.line_of[name] < high]
        return [name for name in self.pair if name in live] if between and self.pair else pair

    def wanted_game(self):
        """The game that the seat holds, else the first of the definition's order that has a good mark."""
        games = [name for name in self.readings if self.seat_of[name] == "next_game"]
        held = [line.name for line in self.lines or [] if line.name in games and line.quantity > 0]
        return held or [name for name in games if self.readings[name][0] == "good"][:1]

    def wanted(self):
        """The names that stand in the seats."""
        chosen = {"wins": self.pair, "next_game": self.wanted_game()}
        return [name for name in self.readings if name in chosen.get(self.seat_of[name], [name])]

    def enter(self, name):
        line = Line(name)
        line.read(self.readings[name])
        return line

    def open(self, at, level):
        """Equal seats at a level, members of a seat equal parts; False while no member has a good mark."""
        before = self.lines
        if self.definition["series"] == "live":
            # A series that starts anew knows nothing of the one before.
            self.lines, self.pair = None, []
        known = {line.name: line for line in self.lines or []}
        self.pair = self.wanted_pair()
        lines = [known.get(name) or self.enter(name) for name in self.wanted()]
        self.lines = before
        lines = [line for line in lines if line.state != "settled"]
        good = [line for line in lines if line.price is not None]
        if not any(self.readings[line.name][0] == "good" for line in good):
            return False
        seats = {self.seat_of[line.name] for line in good}
        self.lines, self.level, self.cash, self.constituted = lines, level, Decimal(0), at
        count = {seat: sum(self.seat_of[line.name] == seat for line in good) for seat in seats}
        for line in lines:
            line.quantity = Decimal(0)
        self.buy(good, [level / len(seats) / count[self.seat_of[line.name]] for line in good])
        self.step(at, "base", [line.name for line in good])
        return True

    def buy(self, lines, values):
        """Spends values on names; what the half-cent rule leaves goes to the seat, else to all, else stays cash."""
        for line, value in zip(lines, values):
            line.quantity = value / max(line.price, HALF_CENT)
            line.state = "included" if line.state == "unpriced" else line.state
        for seat in SEATS:
            places = [i for i, line in enumerate(lines) if self.seats[line.name] == seat]
            rest = sum((values[i] - lines[i].value for i in places), Decimal(0))
            if not any(lines[i].price < HALF_CENT for i in places):
                continue
            everyone = [line for line in self.lines if line.quantity > 0]
            above = [line for line in everyone if line.price > HALF_CENT]
            for some in ([line for line in above if self.seats[line.name] == seat], above, everyone):
                whole = self.value(some)
                if whole > 0:
                    for line in some:
                        line.quantity *= 1 + rest / whole
                    break
            else:
                self.cash += rest

    def go_on(self, at):
        for line in self.lines:
            # What departs does so at its last good mark, the one of this instant too.
            line.read(self.readings.get(line.name) or self.reading(line.name, at))
        self.level = self.value(self.lines) + self.cash
        settled = [line for line in self.lines if line.state == "settled"]
        # A series at 0 has ended, and nothing leaves it any more.
        gone = [line for line in self.lines if line.name not in self.readings and line not in settled and self.level > 0]
        self.paid = [line for line in settled if line.quantity > 0]
        self.departed = [line for line in gone if line.quantity > 0]
        for reason, out in (*by_reason(settled), ("departure", gone)):
            self.lines = [line for line in self.lines if line not in out]
            leaving = [line for line in out if line.quantity > 0]
            if leaving:
                self.step(at, reason, [line.name for line in leaving])
                self.part_with(leaving)
        if self.level <= 0:
            return False
        return self.reconstitute(at) or self.change_pair(at) | self.admit_all(at) | bool(self.departed)

    def part_with(self, leaving):
        """Cash of a seat with a live name goes there; all else, as of names that are left out, goes by the values after
        that."""
        left = Decimal(0)
        for seat in [*SEATS, None]:
            cash = self.value([line for line in leaving if self.seat(line) == seat])
            if seat is None or not self.release(cash, [line for line in self.lines if self.seat(line) == seat]):
                left += cash
        if not self.release(left, self.lines):
            self.cash += left

    @staticmethod
    def release(cash, lines):
        """Adds cash to the names that are live at half a cent or more, by value; False where there is none."""
        live = [line for line in lines if line.state == "included" and line.price >= HALF_CENT]
        whole = sum((line.value for line in live), Decimal(0))
        for line in live:
            line.quantity *= 1 + cash / whole
        return bool(live)

    def due(self, at):
        return any(self.constituted < due <= at for due in self.renewals)

    def reconstitute(self, at):
        """A historical series makes its seats equal at its level, at the last good marks of its names."""
        if self.definition["series"] == "live" or not self.due(at) or not self.open(at, self.level):
            return False
        base = self.steps.pop()
        # What leaves then is told by it.
        self.steps = [step for step in self.steps if step[:2] != (at, "departure")]
        self.step(at, "reconstitution", base[2])
        return True

    def change_pair(self, at):
        """What leaves is parked and the whole seat is bought anew, in equal parts."""
        held = [line.name for line in self.of_seat("wins") if line.quantity > 0]
        self.pair = [name for name in self.pair if name in held]
        wanted = self.wanted_pair()
        if not held or not wanted or set(held) == set(wanted):
            self.pair = wanted or self.pair
            return False
        seat = self.of_seat("wins")
        worth, self.cash = self.value(seat) + self.cash, Decimal(0)
        kept = {line.name: line for line in seat if line.name in wanted}
        leaving = [line for line in seat if line.quantity > 0 and line.name not in wanted]
        self.departed += leaving
        self.lines = [line for line in self.lines if line not in seat]
        bought = [kept.get(name) or self.enter(name) for name in wanted]
        self.lines += bought
        self.pair = wanted
        if leaving:
            self.step(at, "departure", [line.name for line in leaving])
        entering = [name for name in wanted if name not in kept or kept[name].quantity == 0]
        if entering:
            self.step(at, "admission", entering)
        self.buy(bought, [worth / len(bought)] * len(bought))
        return True

    def admit_all(self, at):
        """Names that have a mark for the first time, one after the other, by seat and id; a pair together."""
        known = {line.name for line in self.lines}
        wanted = [name for name in self.wanted() if name not in known and self.readings[name][0] != "settled"]
        self.lines += [self.enter(name) for name in wanted]
        waiting = [line for line in self.lines if line.quantity == 0 and line.price is not None]
        wins = [line for line in waiting if self.seat_of[line.name] == "wins"]
        others = [line for line in waiting if line not in wins]
        for line in sorted(others, key=lambda each: (SEATS.index(self.seat_of[each.name]), each.name)):
            self.admit([line])
        if wins:
            self.admit(wins)
        if waiting:
            self.step(at, "admission", [line.name for line in waiting])
        return bool(waiting)

    def admit(self, entering):
        """Into a seat that is held: an equal part of it, and the cash that waited. Into an empty one: one seat's part
        of the whole, paid from the cash that waited, and by all others what that lacks; at least all of the cash."""
        held = [line for line in self.lines if line.quantity > 0]
        seat = [line for line in held if self.seat_of[line.name] == self.seat_of[entering[0].name]]
        giving = seat or held
        value = self.value(giving)
        whole = value + self.cash
        if seat:
            part = self.cash + value * len(entering) / (len(seat) + len(entering))
        else:
            part = max(self.cash, whole / (len({self.seat_of[line.name] for line in held}) + 1))
        for line in giving:
            line.quantity *= (whole - part) / value
        self.cash = Decimal(0)
        self.buy(entering, [part / len(entering)] * len(entering))
