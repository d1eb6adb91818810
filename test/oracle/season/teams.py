"""Team indices (nti), print by print, from the methodology document."""

from decimal import Decimal

from indices import Index, Line, is_newer, prices_of, published
from marks import HALF_CENT
from rates import isotonic_falling

SEATS = ["championship", "conference", "division", "wins"]
HALF = Decimal("0.5")


class Team(Index):
    def prints(self):
        assert self.definition["fourth_seat"] == "wins" and not self.definition["reconstitutes_at"]
        self.seat_of = {each["market_id"]: each["seat"] for each in self.names}
        self.line_of = {each["market_id"]: each["line"] for each in self.names if each["seat"] == "wins"}
        found, self.lines, self.cash, self.pair = {}, None, Decimal(0), []
        for at in self.times:
            self.readings = {name: self.reading(name, at) for name in self.members}
            self.fit_ladder()
            if self.lines is None:
                if not self.open():
                    continue
                moved = True
            else:
                before = {line.name: (line.state, line.observed) for line in self.lines}
                stepped = self.go_on()
                included = any(line.state == "included" for line in self.lines)
                moved = bool(self.paid) or included and (stepped or is_newer(before, self.lines))
            if moved:
                found[at] = self.show()
        return found

    def show(self):
        included = sum((line.value for line in self.lines if line.state == "included"), Decimal(0))
        whole = self.value(self.lines) + self.cash
        return {
            "level": self.level,
            "coverage": included / whole if whole > 0 else Decimal(0),
            "divisor": Decimal(1),
            "weights": published(self.lines, lambda line: line.value),
            "prices": prices_of([*self.lines, *self.paid, *self.departed]),
        }

    @staticmethod
    def value(lines):
        return sum((line.value for line in lines), Decimal(0))

    def of_seat(self, seat):
        return [line for line in self.lines if self.seat_of[line.name] == seat]

    def fit_ladder(self):
        """The marks of the win totals are those of the fitted ladder."""
        good = [name for name in self.members if name in self.line_of and self.readings[name][0] == "good"]
        good.sort(key=self.line_of.get)
        for mean, places in isotonic_falling([self.readings[name][1] for name in good]):
            for name in (good[place] for place in places):
                self.readings[name] = ("good", mean, self.readings[name][2])

    def wanted_pair(self):
        """The lines around the even one, or those of before while something that matters cannot be read."""
        live = {name: each for name, each in self.readings.items() if name in self.line_of and each[0] != "settled"}
        if any(live.get(name, ("gone",))[0] == "failed" for name in self.pair):
            return [name for name in self.pair if name in live]
        good = sorted((name for name, each in live.items() if each[0] == "good"), key=self.line_of.get)
        if len(good) < 2:
            return good
        above = [name for name in good if live[name][1] >= HALF]
        i = good.index(above[-1]) if above else 0
        i = min(i, len(good) - 2)
        pair = good[i : i + 2]
        low, high = (self.line_of[name] for name in pair)
        between = [name for name in live if low < self.line_of[name] < high]
        return [name for name in self.pair if name in live] if between and self.pair else pair

    def enter(self, name):
        line = Line(name)
        line.read(self.readings[name])
        return line

    def open(self):
        self.pair, self.paid, self.departed = self.wanted_pair(), [], []
        names = [name for name in self.members if self.seat_of[name] != "wins" or name in self.pair]
        self.lines = [line for line in map(self.enter, names) if line.state != "settled"]
        good = [line for line in self.lines if line.price is not None]
        seats = {self.seat_of[line.name] for line in good}
        if not seats:
            self.lines = None
            return False
        self.level = Decimal(1000)
        count = {seat: sum(self.seat_of[line.name] == seat for line in good) for seat in seats}
        values = [self.level / len(seats) / count[self.seat_of[line.name]] for line in good]
        self.buy(good, values)
        return True

    def buy(self, lines, values):
        """Spends values on names; what the half-cent rule leaves goes to the seat, else to all, else stays cash."""
        for line, value in zip(lines, values):
            line.quantity = value / max(line.price, HALF_CENT)
            line.state = "included" if line.state == "unpriced" else line.state
        for seat in SEATS:
            places = [i for i, line in enumerate(lines) if self.seat_of[line.name] == seat]
            rest = sum((values[i] - lines[i].value for i in places), Decimal(0))
            if not any(lines[i].price < HALF_CENT for i in places):
                continue
            everyone = [line for line in self.lines if line.quantity > 0]
            for some in ([lines[i] for i in places if lines[i].price > HALF_CENT],
                         [line for line in everyone if line.price > HALF_CENT], everyone):
                whole = self.value(some)
                if whole > 0:
                    for line in some:
                        line.quantity *= 1 + rest / whole
                    break
            else:
                self.cash += rest

    def go_on(self):
        for line in self.lines:
            line.read(self.readings[line.name])
        self.level = self.value(self.lines) + self.cash
        settled = [line for line in self.lines if line.state == "settled"]
        self.paid = [line for line in settled if line.quantity > 0]
        self.lines = [line for line in self.lines if line.state != "settled"]
        self.departed = []
        owed = {seat: self.value([line for line in self.paid if self.seat_of[line.name] == seat]) for seat in SEATS}
        # Seats that have a live name first, so that what the others leave goes by the values after that.
        left = [cash for seat, cash in owed.items() if cash > 0 and not self.release(cash, self.of_seat(seat))]
        for cash in left:
            if not self.release(cash, self.lines):
                self.cash += cash
        if self.level <= 0:
            return False
        return self.change_pair() | self.admit_all()

    @staticmethod
    def release(cash, lines):
        """Adds cash to the names that are live at half a cent or more, by value; False where there is none."""
        live = [line for line in lines if line.state == "included" and line.price >= HALF_CENT]
        whole = sum((line.value for line in live), Decimal(0))
        for line in live:
            line.quantity *= 1 + cash / whole
        return bool(live)

    def change_pair(self):
        """What leaves is parked and the whole seat is bought anew, in equal parts."""
        held = [line.name for line in self.of_seat("wins") if line.quantity > 0]
        self.pair = [name for name in self.pair if name in held] or self.pair
        wanted = self.wanted_pair()
        if not held or not wanted or set(held) == set(wanted):
            self.pair = wanted or self.pair
            return False
        seat = self.of_seat("wins")
        worth, self.cash = self.value(seat) + self.cash, Decimal(0)
        kept = {line.name: line for line in seat if line.name in wanted}
        self.departed = [line for line in seat if line.quantity > 0 and line.name not in wanted]
        self.lines = [line for line in self.lines if line not in seat]
        bought = [kept.get(name) or self.enter(name) for name in wanted]
        self.lines += bought
        self.pair = wanted
        self.buy(bought, [worth / len(bought)] * len(bought))
        return True

    def admit_all(self):
        """Names that have a mark for the first time, one after the other, by seat and id; a pair together."""
        known = {line.name for line in self.lines}
        self.lines += [
            self.enter(name)
            for name in self.members
            if name not in known
            and self.readings[name][0] != "settled"
            and (self.seat_of[name] != "wins" or name in self.pair)
        ]
        waiting = [line for line in self.lines if line.quantity == 0 and line.price is not None]
        wins = [line for line in waiting if self.seat_of[line.name] == "wins"]
        others = [line for line in waiting if line not in wins]
        for line in sorted(others, key=lambda each: (SEATS.index(self.seat_of[each.name]), each.name)):
            self.admit([line])
        if wins:
            self.admit(wins)
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
