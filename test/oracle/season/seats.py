"""What team indices answer beside other indices: seats, official daily values, membership events."""

from facts import instant
from stats import closes_before
from teams import SEATS


class Spell:
    """A name's time in the index."""

    def __init__(self, name, since):
        self.name, self.since, self.until, self.settled = name, since, None, False


def spells_of(index):
    """When each name came in and left; what a series held when the next one began has left."""
    found, inside = [], {}

    def leave(name, at, settled=False):
        if name in inside:
            inside[name].until, inside[name].settled = at, settled
            del inside[name]

    for at, reason, names in index.steps:
        if reason in ("departure", "settlement", "deletion"):
            for name in names:
                leave(name, at, reason == "settlement")
            continue
        for name in list(inside) if reason in ("base", "reconstitution") else []:
            if reason == "base" or name not in names:
                leave(name, at)
        for name in names:
            if name not in inside:
                inside[name] = Spell(name, at)
                found.append(inside[name])
    return found


def compare_team(compared, ticker, index, prints, start, answers, now):
    closes = closes_before(prints, now)
    theirs = answers["daily_values"]["data"]
    compared.same("official days", ticker, [day.isoformat() for day, _at in closes], [row["day"] for row in theirs])
    for (_day, at), row in zip(closes, theirs):
        compared.written("official daily value", f"{ticker} {row['day']}", prints[at]["level"], row["value"], 6)
    detail = answers["detail"]["authenticated"]
    official = prints[closes[-1][1]]["level"] if closes else None
    compared.written("official daily value", ticker, official, detail.get("official_daily_value"), 6)
    compare_events(compared, ticker, index, prints, answers["membership_events"])
    compare_sleeves(compared, ticker, index, prints, start, detail["sleeves"])


def compare_events(compared, ticker, index, prints, answer):
    spells = spells_of(index)
    ours = [(spell.since, "admission", spell.name) for spell in spells]
    ours = sorted(ours + [(spell.until, "settlement", spell.name) for spell in spells if spell.settled])
    compared.same("count of membership events", ticker, len(ours), answer["meta"]["total"])
    told = {(instant(row["at"]), row["kind"], row.get("market_id") or f"rate:{row.get('rate')}"): row for row in answer["data"]}
    known = ours if len(ours) == len(answer["data"]) else [each for each in ours if each in told]
    compared.same("membership events", ticker, known, sorted(told))
    for (at, kind, name), row in told.items():
        line = prints[prints.newest(at)]["lines"].get(name)
        compared.number(f"{kind} price", f"{ticker} {name}", line and line.price, row.get("mark_price"))


def compare_sleeves(compared, ticker, index, prints, start, sleeves):
    standing, spells = index.standing(), [spell for spell in spells_of(index) if spell.since >= start]
    # Where what is known now leaves the index no beginning, its seats are those of a definition that has not printed.
    if standing is None:
        return
    fourth = index.definition["fourth_seat"]
    wanted = [seat for seat in SEATS if seat == fourth or seat not in ("wins", "next_game")]
    compared.same("seats", ticker, wanted, [sleeve["seat"] for sleeve in sleeves])
    for sleeve in sleeves:
        rows = [row for member in sleeve["members"] for row in member.get("marks", [member])]
        staying = {name: line for name, line in standing.items() if index.seat_of.get(name) == sleeve["seat"]}
        weight = sum(line.weight for line in staying.values())
        compared.number("weight of a seat", f"{ticker} {sleeve['seat']}", weight, sleeve["weight"])
        entered = {spell.name: spell.since for spell in spells if spell.until is None}
        for member in sleeve["members"]:
            if "marks" in member:
                mean = sum(standing[row["market_id"]].price for row in member["marks"]) / 2
                compared.number("mark of a pair", f"{ticker} wins", mean, member["mark_price"])
        ours = {(name, entered.get(name), None): line.price for name, line in staying.items()}
        for spell in spells:
            name, until = spell.name, spell.until
            # What has left is told of the names that the definition still has.
            if until is not None and name in index.members and index.seats[name] == sleeve["seat"]:
                line = prints[prints.newest(until)]["lines"].get(name)
                ours[name, spell.since, until] = line and line.price
        theirs = {
            (row.get("market_id") or f"rate:{row.get('rate')}", when(row, "active_from"), when(row, "active_until")): row
            for row in rows
        }
        compared.same("members of a seat", f"{ticker} {sleeve['seat']}", in_order(ours), in_order(theirs))
        for key, price in ours.items():
            if key in theirs:
                compared.number("mark of a member", f"{ticker} {key[0]}", price, theirs[key].get("mark_price"))


def in_order(keys):
    return sorted(keys, key=lambda key: (key[0], key[1] or 0, key[2] or 0))


def when(row, field):
    return instant(row[field]) if field in row else None
