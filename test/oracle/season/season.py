"""Recalculates every print and close of a store from its raw facts and compares. Written from the specification and
data/methodology.md; standard library only; shares no code with the product.

    python3 season.py STORE... [--tickers A,B] [--answers FILE...] [--all]    exit code 1 where something differs

What a STORE was calculated from was known at the runs that it counts for: restatements of what came later are not
recalculated. A FILE for each store holds what the product answers of it. With --all it is an error when a figure or a
methodology below had nothing to compare.
"""

import argparse
import sys
from itertools import zip_longest

from answers import compare_answers
from edits import compare_deletions, compare_edits
from facts import Facts, instant
from gauges import Gauge
from indices import Basket, TotalReturn
from kinds import FIGURES, METHODS, method_of
from prints import Comparison, Prints, compare_closes, compare_index, compare_rate, compare_steps
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


def compare_store(path, compared, wanted, answers):
    facts = Facts(path)
    printed, standings = {"rate": {}, "index": {}}, {"rate": {}, "index": {}}
    for ticker in facts.tickers["rate"]:
        definition = facts.definition("rate", ticker)
        if wanted and ticker not in wanted:
            continue
        compared.method = method_of(definition)
        times = instants_of(instant(definition["start_at"]), definition["interval_minutes"], facts.runs)
        rate = Rate(facts, definition, times)
        ours = rate.prints()
        compare_rate(facts, compared, ticker, ours)
        compare_rate(facts, compared, ticker, rate.revised, revision=1)
        compare_closes(facts, compared, "rate", ticker, ours)
        printed["rate"][ticker], standings["rate"][ticker] = Prints(ours), rate
    first = {**printed, "index": {}}
    for ticker in in_order(facts):
        versions = facts.versions["index"][ticker]
        definition = versions[-1][1]
        if wanted and ticker not in wanted:
            continue
        compared.method = method_of(definition)
        times = instants_of(instant(definition["base_at"]), definition["interval_minutes"], facts.runs)
        index = FAMILIES[definition["methodology"]](facts, versions, times, first)
        ours = index.prints()
        first["index"][ticker], standings["index"][ticker] = Prints(ours), index
        compare_index(facts, compared, ticker, ours)
        if definition["methodology"] == "nti" and ours and index.opening != 1000:
            compared.number("opening at the .K level", ticker, index.opening, ours[min(ours)]["level"])
        compare_closes(facts, compared, "index", ticker, ours)
        compare_steps(facts, compared, ticker, index.steps, definition["methodology"] == "gauge")
        compare_edits(facts, compared, ticker, index)
        compare_deletions(facts, compared, ticker, index, first["index"][ticker])
    # What is answered rests on the newest revision of each print.
    for ticker, rate in standings["rate"].items():
        printed["rate"][ticker] = Prints({**printed["rate"][ticker], **rate.revised})
    if answers:
        compare_answers(compared, facts, {**printed, "index": first["index"]}, standings, answers)


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
        compare_store(store, compared, set(filter(None, asked.tickers.split(","))), answers)
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
