"""What team indices answer beside other indices: seats, official daily values, membership events."""

from facts import instant
from stats import closes_before
from teams import SEATS


def memberships(index, start):
    """[name, from, until] of the present series."""
    found = []
    for at, reason, names in index.steps:
        if at < start:
            continue
        for name in names if reason in ("base", "admission") else []:
            found.append([name, at, None])
        for name in names if reason in ("departure", "settlement") else []:
            for each in found:
                if each[0] == name and each[2] is None and each[1] < at:
                    each[2] = at
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
    kinds = {"base": "admission", "admission": "admission", "settlement": "settlement"}
    ours = sorted((at, kinds[reason], name) for at, reason, names in index.steps if reason in kinds for name in names)
    compared.same("count of membership events", ticker, len(ours), answer["meta"]["total"])
    told = {(instant(row["at"]), row["kind"], row.get("market_id") or f"rate:{row.get('rate')}"): row for row in answer["data"]}
    known = ours if len(ours) == len(answer["data"]) else [each for each in ours if each in told]
    compared.same("membership events", ticker, known, sorted(told))
    for (at, kind, name), row in told.items():
        line = prints[at]["lines"].get(name) if at in prints else None
        compared.number(f"{kind} price", f"{ticker} {name}", line and line.price, row.get("mark_price"))


def compare_sleeves(compared, ticker, index, prints, start, sleeves):
    standing, spells = index.standing(), memberships(index, start)
    fourth = index.definition["fourth_seat"]
    wanted = [seat for seat in SEATS if seat == fourth or seat not in ("wins", "next_game")]
    compared.same("seats", ticker, wanted, [sleeve["seat"] for sleeve in sleeves])
    for sleeve in sleeves:
        rows = [row for member in sleeve["members"] for row in member.get("marks", [member])]
        staying = {name: line for name, line in standing.items() if index.seats[name] == sleeve["seat"]}
        weight = sum(line.weight for line in staying.values())
        compared.number("weight of a seat", f"{ticker} {sleeve['seat']}", weight, sleeve["weight"])
        entered = {name: since for name, since, until in spells if until is None}
        for member in sleeve["members"]:
            if "marks" in member:
                mean = sum(standing[row["market_id"]].price for row in member["marks"]) / 2
                compared.number("mark of a pair", f"{ticker} wins", mean, member["mark_price"])
        ours = {(name, entered.get(name), None): line.price for name, line in staying.items()}
        for name, since, until in spells:
            if until is not None and index.seats[name] == sleeve["seat"]:
                ours[name, since, until] = prints[until]["lines"][name].price if until in prints else None
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
