"""Recalculates every print and close of a store from its raw facts and compares. Written from the specification and
data/methodology.md; standard library only; shares no code with the product.

    python3 season.py STORE... [--tickers A,B] [--answers FILE...] [--all]    exit code 1 where something differs

Each run and backfill of a STORE is recalculated with what was known then, and so is what it restates. A FILE for each
store holds what the product answers of it after some of its runs, and the backfills that it was asked for. With --all
it is an error when a figure or a methodology below had nothing to compare.
"""

import argparse
import json
import sys
from itertools import zip_longest

from answers import compare_answers
from edits import compare_deletions, compare_edits
from facts import DAY, Facts, instant
from gauges import Gauge
from history import History
from indices import Basket, TotalReturn
from kinds import FIGURES, METHODS, method_of
from prints import (
    Comparison,
    Prints,
    Told,
    compare_closes,
    compare_index,
    compare_links,
    compare_rate,
    compare_restatements,
    compare_steps,
)
from rates import Rate
from teams import Team

FAMILIES = {"basket": Basket, "composite": Basket, "gauge": Gauge, "total_return": TotalReturn, "nti": Team}


def instants_of(first, minutes, runs):
    """The base, each whole step of the interval after it, and the instants of the runs."""
    step = minutes * 60_000
    later = [run for run in runs if run >= first]
    return sorted({first, *range((first // step + 1) * step, later[-1] + 1, step), *later}) if later else []


def in_order(facts):
    """An index after those that it is made of, and after the .K index that it opens at."""
    done = {}

    def place(ticker):
        if ticker in done or ticker not in facts.tickers["index"]:
            return
        for _since, definition in facts.versions["index"][ticker]:
            for each in definition["constituents"]:
                if each["market_id"].startswith("index:"):
                    place(each["market_id"][6:])
        place(f"{ticker}.K")
        done[ticker] = True

    for ticker in facts.tickers["index"]:
        place(ticker)
    return list(done)


class Service:
    """Every index and rate of a store, calculated run by run and backfill by backfill with what was known at each."""

    def __init__(self, facts, wanted, backfills):
        self.facts, self.runs = facts, facts.runs
        self.events = sorted([(run, None) for run in facts.runs] + [(each["now"], each) for each in backfills], key=lambda e: e[0])
        # What others rest on: first prints, and of the base of a total return the newest.
        self.first, self.newest = {"rate": {}, "index": {}}, {}
        self.histories = {}
        for ticker in facts.tickers["rate"]:
            definition = facts.definition("rate", ticker)
            if not wanted or ticker in wanted:
                self.add("rate", ticker, Rate(facts, ticker, self.times(definition, "start_at")))
        for ticker in in_order(facts):
            versions = facts.versions["index"][ticker]
            definition = versions[-1][1]
            if not wanted or ticker in wanted:
                family = FAMILIES[definition["methodology"]]
                self.add("index", ticker, family(facts, versions, self.times(definition, "base_at"), self.first, self.newest))

    def times(self, definition, since):
        return instants_of(instant(definition[since]), definition["interval_minutes"], self.facts.runs)

    def add(self, kind, ticker, machine):
        self.histories[kind, ticker] = History(kind, machine, len(self.events))

    def go(self):
        """Calculates event by event. Yields the instant of each run when it is done."""
        earlier = []
        for now, asked in self.events:
            self.facts.learn(now)
            for (kind, ticker), history in self.histories.items():
                if asked is None:
                    if earlier:
                        self.restate(kind, history, earlier, now)
                    history.run(now)
                elif not asked["tickers"] or ticker in asked["tickers"]:
                    history.recalculate(asked["from"], {"backfill"}, now, asked.get("every_minutes"), asked["to"])
                prints = Prints(history.newest())
                self.first[kind][ticker] = Prints(history.first())
                if kind == "index":
                    # What is left from before it now begins does not count.
                    begins = min((at for at, reason, _names in history.machine.steps if reason == "base"), default=now + 1)
                    self.newest[ticker] = Prints({at: prints[at] for at in prints.instants if at >= begins})
            earlier = [*(earlier if asked else []), now]
            if asked is None:
                yield now

    def standing(self):
        """The prints that count now, and what made them, by kind and ticker."""
        printed, machines = {"rate": {}, "index": {}}, {"rate": {}, "index": {}}
        for (kind, ticker), history in self.histories.items():
            printed[kind][ticker], machines[kind][ticker] = Prints(history.newest()), history.machine
        return printed, machines

    def restate(self, kind, history, earlier, now):
        """Of what was told otherwise than it was known at the events since the run before the earliest, unless that is
        older than seven days."""
        prices, payoffs = self.names(kind, history.machine)
        found = [
            each
            for name in payoffs
            for before in earlier
            for each in self.facts.corrections(name, before, now)
            if name in prices or each[1] == "late_settlement"
        ]
        found = sorted((since, reason) for since, reason in found if since <= earlier[0] and now - since <= 7 * DAY)
        if found:
            since = found[0][0]
            # Of two at one instant either is told.
            reasons = {reason for then, reason in found if then == since}
            history.recalculate(since, reasons, now)

    def names(self, kind, machine):
        """The markets whose prices a series uses or used, and those whose payoffs, which are those behind its rates too.
        Prints are no facts. A total return goes with its base."""
        if kind == "rate":
            own = {each["market_id"] for _since, version in self.facts.versions["rate"][machine.ticker] for each in version["sources"]}
            return own, own
        base = machine.definition.get("base_index_id")
        versions = self.facts.versions["index"][base] if base else machine.versions
        own = {each["market_id"] for _since, version in versions for each in version["constituents"]}
        rates = [name[5:] for name in own if name.startswith("rate:")]
        behind = {each["market_id"] for name in rates for _s, rate in self.facts.versions["rate"][name] for each in rate["sources"]}
        markets = {name for name in own if not name.startswith(("rate:", "index:"))}
        return markets, markets | behind


def compare_store(path, compared, wanted, asked):
    facts = Facts(path)
    service = Service(facts, wanted, asked.get("backfills", []))
    answered = {each["now"]: each for each in asked.get("answered", [])}
    for now in service.go():
        if now in answered:
            compare_answers(compared, *service.standing(), answered[now], now)
    for (kind, ticker), history in service.histories.items():
        machine, prints, told = history.machine, Prints(history.newest()), Told(facts, kind, ticker)
        compared.method = method_of(machine.definition)
        compare_closes(facts, compared, kind, ticker, prints)
        compare_restatements(facts, compared, kind, ticker, history.restatements, told)
        if kind == "rate":
            compare_rate(facts, compared, ticker, history.revisions, told, machine.by_trades)
            continue
        compare_index(facts, compared, ticker, history.revisions, told)
        if machine.definition["methodology"] == "nti" and prints and machine.opening != 1000:
            for opened in [at for at, reason, _names in machine.steps if reason == "base"][:1]:
                compared.number("opening at the .K level", ticker, machine.opening, prints[opened]["level"])
        compare_steps(facts, compared, ticker, machine.steps, machine.definition["methodology"] == "gauge")
        compare_links(facts, compared, ticker, getattr(machine, "links", []), prints)
        compare_edits(facts, compared, ticker, machine)
        compare_deletions(facts, compared, ticker, machine, prints)


def read(path):
    if path is None:
        return {}
    with open(path) as file:
        return json.load(file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stores", nargs="+")
    parser.add_argument("--tickers", default="")
    parser.add_argument("--answers", nargs="*", default=[])
    parser.add_argument("--all", action="store_true")
    asked = parser.parse_args()
    compared = Comparison()
    for store, answers in zip_longest(asked.stores, asked.answers):
        if compared.differences:
            break
        compare_store(store, compared, set(filter(None, asked.tickers.split(","))), read(answers))
    missing = []
    for title, counts, kinds in (("figure", compared.figures, FIGURES), ("of", compared.methods, METHODS)):
        print(f"{title:40} compared")
        for kind in sorted({*counts, *(kinds if asked.all else [])}):
            print(f"  {kind:38} {counts[kind]:>9,}")
        missing += [kind for kind in kinds if asked.all and counts[kind] == 0]
    print(f"{'compared':38} {sum(compared.figures.values()):>11,}  {len(compared.differences)} differ")
    firsts = {difference.split()[0]: difference for difference in reversed(compared.differences)}
    for difference in firsts.values():
        print(f"  {difference[:400]}", file=sys.stderr)
    for kind in missing:
        print(f"  nothing was compared: {kind}", file=sys.stderr)
    return 1 if compared.differences or missing else 0


if __name__ == "__main__":
    sys.exit(main())
