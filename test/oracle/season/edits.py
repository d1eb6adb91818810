"""What an editor does to an index: changes that count without a step, and names that are taken out."""

import json

from facts import instant
from marks import Mark
from weights import number

SILENT = ("book_check", "deletions")


def steps_told(facts, ticker, reason):
    """Of each instant with such a step in the ledger the names."""
    sql = "SELECT at, market_ids FROM standing_divisor_steps WHERE ticker = ? AND reason = ?"
    return {row["at"]: json.loads(row["market_ids"]) for row in facts.sql.execute(sql, [ticker, reason])}


def compare_edits(facts, compared, ticker, index):
    told = steps_told(facts, ticker, "reconstitution")
    due = {at for at, reason, _names in index.steps if reason == "reconstitution"}
    for at, before, after in index.edits:
        changed = {field for field in before.keys() | after.keys() if before.get(field) != after.get(field)}
        for what in {field if field in SILENT else "texts" for field in changed}:
            compared.same(f"no step at a change of {what}", f"{ticker} {at}", at in due, at in told)


def compare_deletions(facts, compared, ticker, index, prints):
    """By how a name stood before, and what else happened when it was taken out, the level of then."""
    asked = {
        (each["market_id"], instant(each["at"]), number(each["price_cents"]))
        for _since, definition in index.versions
        for each in definition.get("deletions", [])
    }
    printed = "SELECT at, level FROM standing_index_prints WHERE ticker = ?"
    levels = {row["at"]: row["level"] for row in facts.sql.execute(printed, [ticker])}
    for name, at, cents in sorted(asked):
        stated, where = Mark(cents / 100, "stated", at), f"{ticker} {name}"
        due = next((time for time in index.times if time >= at and index.stated(name, time) == stated), None)
        if due is None:
            ours = [time for time, reason, names in index.steps if reason == "deletion" and name in names]
            theirs = [time for time, names in steps_told(facts, ticker, "deletion").items() if name in names]
            compared.same("deletion that was dropped", where, ours, theirs)
            continue
        level = prints[due]["level"] if due in prints else None
        for kind in kinds_of(index, prints, name, due, stated):
            compared.number(f"deletion {kind}", where, level, levels.get(due))


def kinds_of(index, prints, name, due, stated):
    found = [f"at {float(100 * stated.price):g} cents", *stood(index, prints, name, due, stated)]
    steps = {reason: names for at, reason, names in index.steps if at == due}
    out = steps.get("deletion", frozenset())
    if name in out:
        found += [f"beside a {reason}" for reason in ("settlement", "rebalance", "reconstitution") if reason in steps]
        found += ["beside another"] * (len(out) > 1)
    return found


def stood(index, prints, name, due, stated):
    """How a name stood in the print before."""
    kind, mark = index.quoted(name, due)
    if kind == "settled" and mark.at <= stated.at:
        return ["of a settled name"] + ["of a name that settles then"] * (mark.at == stated.at)
    before = prints.newest(due - 1)
    lines = prints[before]["lines"] if before is not None else {}
    inside = [each for each, line in lines.items() if line.state in ("included", "excluded")]
    if name not in inside:
        return ["of a name that was not in"]
    found = ["of a live name" if lines[name].state == "included" else "of a held name"]
    if inside == [name]:
        found.append("of the only name")
    seat_of = getattr(index, "seat_of", {})
    if [each for each in inside if name in seat_of and seat_of.get(each) == seat_of[name]] == [name]:
        found.append("of a seat's only name")
    return found
