"""Independent reckoning of the 32 team indices of the World Cup 2026 from the recorded snapshots.

Standard library only, in decimals, straight from the published rules; shares no code with the product.
Usage: python3 test/oracle/world-cup-2026.py [recorded folder]   (default: REAL_DATA or ../shared/real)
Writes test/oracle/world-cup-2026.json.

Rules worked here:
* three seats of one contract each: outright, advance, group winner; a calculation at each snapshot and at each
  midnight UTC between; a closed contract has settled at its recorded price since that snapshot;
* a book enters with two sides, not crossed, at most 20 cents wide and at most 24 hours old; its mark is the mid;
  a name whose book fails stays at its last good mark with weight 0;
* opening: 1000 in equal parts over the seats that have a mark; admission: one seat's part of the whole;
* no quantity from a mark under half a cent: 0.005 is used, the rest goes by value to the names above it, else to
  all, else it is cash;
* settlement: the payoff enters the level, then goes by value to the live names at half a cent or more, else stays
  as cash; a series at 0 has ended and admits nothing;
* a print when something settled, or a name is included and something was admitted, is newer or changed its state.
"""

import csv
import gzip
import json
import os
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal, getcontext
from pathlib import Path
from zoneinfo import ZoneInfo

getcontext().prec = 40
HERE = Path(__file__).resolve().parent
EASTERN = ZoneInfo("America/New_York")
SEATS = ("outright", "advance", "group_winner")
HALF_CENT, WIDEST, OLDEST = Decimal("0.005"), Decimal("0.2"), timedelta(hours=24)


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("REAL_DATA", HERE / "../../../shared/real"))
    path = folder / "world-cup-2026-teams" / "polymarket_history_8_groups.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    seen, teams = {}, sorted({row["team"] for row in rows})
    for row in rows:
        seen.setdefault(datetime.fromisoformat(row["ts_utc"]), {})[row["team"], row["market"]] = row
    snapshots = sorted(seen)
    result = {team: Team(team).run(calculations(snapshots), seen) for team in teams}
    numbers = sum(len(prints) for team in result.values() for prints in (team["prints"], team["closes"]))
    target = HERE / "world-cup-2026.json"
    lines = [f"  {json.dumps(team)}: {json.dumps(value)}" for team, value in result.items()]
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{target.name}: {len(teams)} teams, {len(snapshots)} snapshots, {numbers} prints and closes")


def calculations(snapshots):
    """Snapshots, and the midnights between them."""
    instants = set(snapshots)
    day = snapshots[0].replace(hour=0, minute=0, second=0) + timedelta(days=1)
    while day < snapshots[-1]:
        instants.add(day)
        day += timedelta(days=1)
    return sorted(instants)


class Team:
    def __init__(self, name):
        self.name = name
        self.book = {}
        self.held = {}
        self.cash = Decimal(0)
        self.level = None
        self.ended = set()

    def run(self, instants, seen):
        prints = []
        for at in instants:
            for seat in SEATS:
                row = seen.get(at, {}).get((self.name, seat))
                if row:
                    self.book[seat] = (at, row)
            printed = self.calculate(at)
            if printed:
                prints.append([at, *printed])
        closes = {}
        for at, level, *_ in prints:
            closes[str(at.astimezone(EASTERN).date())] = level
        return {
            "prints": [[at.isoformat(), *map(float, numbers)] for at, *numbers in prints],
            "closes": [[day, float(level)] for day, level in closes.items()],
        }

    def read(self, seat, at):
        """('paid', payoff), ('good', mark, seen at) or None."""
        if seat not in self.book:
            return None
        when, row = self.book[seat]
        if row["closed"] == "True":
            return ("paid", Decimal(row["price"]))
        bid, ask = (Decimal(row[side]) if row[side] else None for side in ("bid", "ask"))
        bid = bid if bid is not None and 0 < bid < 1 else None
        ask = ask if ask is not None and 0 < ask < 1 else None
        if bid is None or ask is None or bid > ask or ask - bid > WIDEST or at - when > OLDEST:
            return None
        return ("good", (bid + ask) / 2, when)

    def calculate(self, at):
        """What is printed: level, cash, coverage and the three weights; None without a print."""
        if self.level is None:
            return self.open(at)
        paid, moved = [], False
        for seat, name in self.held.items():
            reading = self.read(seat, at)
            if reading is None:
                moved |= name["live"]
                name["live"] = False
            elif reading[0] == "paid":
                name.update(mark=reading[1], live=False)
                paid.append(seat)
            else:
                moved |= not name["live"] or reading[2] > name["seen"]
                name.update(mark=reading[1], seen=reading[2], live=True)
        level = self.value() + self.cash
        freed = sum((self.held[seat]["n"] * self.held[seat]["mark"] for seat in paid), Decimal(0))
        for seat in paid:
            del self.held[seat]
            self.ended.add(seat)
        if paid:
            taking = [name for name in self.held.values() if name["live"] and name["mark"] >= HALF_CENT]
            if not self.grow(taking, freed):
                self.cash += freed
        if level > 0:
            for seat in SEATS:
                reading = self.read(seat, at)
                if seat not in self.held and seat not in self.ended and reading and reading[0] == "good":
                    self.admit(seat, reading)
                    moved = True
        if not paid and not (moved and any(name["live"] for name in self.held.values())):
            return None
        self.level = level
        return self.published(level)

    def open(self, at):
        good = {seat: reading for seat in SEATS if (reading := self.read(seat, at)) and reading[0] == "good"}
        if not good:
            return None
        self.level = Decimal(1000)
        for seat, (_good, mark, when) in good.items():
            self.held[seat] = {"mark": mark, "seen": when, "live": True, "n": Decimal(0)}
        self.buy({seat: self.level / len(good) for seat in good})
        return self.published(self.level)

    def admit(self, seat, reading):
        whole, seats = self.value() + self.cash, len(self.held)
        part = max(self.cash, whole / (seats + 1))
        if seats:
            given = self.value()
            for name in self.held.values():
                name["n"] *= (whole - part) / given if given else Decimal(0)
        self.cash = Decimal(0)
        self.held[seat] = {"mark": reading[1], "seen": reading[2], "live": True, "n": Decimal(0)}
        self.buy({seat: part})

    def buy(self, targets):
        unspent = Decimal(0)
        for seat, target in targets.items():
            name = self.held[seat]
            name["n"] = target / max(name["mark"], HALF_CENT)
            unspent += target - name["n"] * name["mark"]
        if unspent and not self.grow([one for one in self.held.values() if one["mark"] > HALF_CENT], unspent):
            if not self.grow(self.held.values(), unspent):
                self.cash += unspent

    @staticmethod
    def grow(names, value):
        names = list(names)
        taking = sum((name["n"] * name["mark"] for name in names), Decimal(0))
        if not taking:
            return False
        for name in names:
            name["n"] *= 1 + value / taking
        return True

    def value(self):
        return sum((name["n"] * name["mark"] for name in self.held.values()), Decimal(0))

    def published(self, level):
        worth = {seat: name["n"] * name["mark"] for seat, name in self.held.items() if name["live"]}
        included, whole = sum(worth.values(), Decimal(0)), self.value() + self.cash
        weights = [worth.get(seat, Decimal(0)) / included if included else Decimal(0) for seat in SEATS]
        return (level, self.cash, included / whole if whole else Decimal(0), *weights)


main()
