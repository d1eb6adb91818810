"""What is answered of an index or a rate at an instant, from the prints that were recalculated."""

from confidence import compare_confidence
from correlations import compare_correlation
from facts import DAY, exact, instant
from kinds import method_of
from prints import Prints
from returns import compare_returns
from seats import compare_team
from stats import compare_stats, previous_closes

WINDOWS = {"1d": 1, "7d": 7, "30d": 30, "90d": 90}


def series_start(index):
    """When the present series began: nothing is worked out across the start of another."""
    return max((at for at, reason, _names in index.steps if reason == "base"), default=0)


def compare_closes_of(compared, where, prints, field, answer, now, places):
    """previous_close_1d and _7d of the authenticated detail."""
    for name, at in previous_closes(prints, now).items():
        ours = None if at is None else prints[at][field]
        compared.written(name, where, ours, answer.get(name), places)


def compare_head(compared, where, last, ours, answer, now, places):
    """The latest value, quiet after seven days: left out on the public tier; of a rate null on the other."""
    public, member = answer.get("public"), answer["authenticated"]
    quiet = last is None or now - last > 7 * DAY
    rate = places == 4
    compared.written("latest price", where, None if quiet and rate else ours, member.get("latest_price"), places)
    printed = member.get("latest_print_at")
    if public is not None:
        compared.written("latest price", where, None if quiet else ours, public.get("latest_price"), places)
        compared.same("quiet" if quiet else "not quiet", where, quiet, "latest_price" not in public)
    compared.same("latest print", where, last, printed and instant(printed))
    return quiet


def compare_points(compared, ticker, kind, prints, answer, places):
    """The whole series, of a chain with the weights that made each point."""
    field, factor = ("level", 1) if kind == "index" else ("price", 100)
    rows = {instant(row["at"]): row for row in answer["data"]}
    compared.same("instants of a series", ticker, prints.instants, list(rows))
    for at in rows.keys() & prints.keys():
        where, row = f"{ticker} {at}", rows[at]
        compared.written("point of a series", where, factor * prints[at][field], row[field], places)
        for source in row.get("sources", []):
            ours = prints[at]["sources"][source["market_id"]].weight
            compared.number("weight of a point", where, ours, source["weight"])


def compare_index(compared, ticker, index, prints, answers, now):
    last = prints.newest(now)
    detail = answers["detail"]
    print_ = prints[last] if last is not None else None
    quiet = compare_head(compared, ticker, last, print_ and print_["level"], detail, now, 6)
    member = detail["authenticated"]
    compare_rows(compared, ticker, index, answers["constituents"]["data"])
    compare_points(compared, ticker, "index", prints, answers["prices"], 6)
    starts = [at for at, reason, _names in index.steps if reason == "base"]
    told = [instant(each) for each in answers["prices"].get("series_starts", [])]
    compared.same("starts of a series", ticker, starts if len(starts) > 1 else [], told)
    if print_ is None:
        return
    inputs = [line for line in print_["lines"].values() if line.state == "included"]
    compare_confidence(compared, ticker, inputs, last, now, member["confidence"], print_["coverage"])
    if not quiet and "public" in detail:
        compare_confidence(compared, ticker, inputs, last, now, detail["public"]["confidence"], print_["coverage"])
    start = series_start(index)
    series = Prints({at: each for at, each in prints.items() if at >= start})
    compare_closes_of(compared, ticker, series, "level", member, now, 6)
    published = {id_of(row): exact(row["weight"]) for row in answers["constituents"]["data"]}
    compare_returns(compared, ticker, index, series, member["constituent_returns"], published, now)
    for tier, answer in answers["correlation"].items():
        compare_correlation(compared, ticker, answer, series, now, tier == "authenticated")
    if index.definition["methodology"] == "nti":
        compare_team(compared, ticker, index, prints, start, answers, now)


def compare_rows(compared, ticker, index, rows):
    """The constituents as they stand after the last calculation."""
    standing = index.standing()
    if standing is None:
        return
    compared.same("constituents", ticker, sorted(standing), sorted(map(id_of, rows)))
    for row in rows:
        name = id_of(row)
        line, where = standing.get(name), f"{ticker} {name}"
        if line is None:
            continue
        compared.number("weight of a constituent", where, line.weight, row["weight"])
        said = (line.state == "excluded", line.reason if line.state == "excluded" else None, line.basis)
        theirs = (row["excluded"], row.get("exclude_reason"), row.get("basis"))
        compared.same("exclusion and basis", where, said, theirs)
        if name.startswith("index:"):
            compared.written("mark of a constituent", where, line.price, row.get("level"), 6)
        else:
            compared.number("mark of a constituent", where, line.price, row.get("mark_price"))


def id_of(row):
    """The id under which an index keeps a constituent."""
    return row["market_id"] if "market_id" in row else f"{row['kind']}:{row[row['kind']]}"


def compare_rate(compared, ticker, rate, prints, answer, now):
    last = prints.newest(now)
    print_ = prints[last] if last is not None else None
    quiet = compare_head(compared, ticker, last, print_ and 100 * print_["price"], answer, now, 4)
    public, member = answer.get("public") or answer["authenticated"], answer["authenticated"]
    compare_points(compared, ticker, "rate", prints, answer["prices"], 4)
    spread = None if quiet else 100 * print_["spread"]
    compared.written("latest spread", ticker, spread, public.get("spread"), 4)
    compared.written("latest spread", ticker, spread, member["spread"], 4)
    compare_sources(compared, ticker, rate, print_, public["sources"], last if last is not None else now, quiet)
    if print_ is None:
        return
    if not quiet:
        inputs = [source for source in print_["sources"].values() if source.state == "included"]
        compare_confidence(compared, ticker, inputs, last, now, public["confidence"])
    cents = Prints({at: {"price": 100 * each["price"]} for at, each in prints.items()})
    compare_closes_of(compared, ticker, cents, "price", member, now, 4)
    compare_stats(compared, ticker, member.get("stats"), cents, now)


def compare_sources(compared, ticker, rate, print_, rows, at, quiet):
    catalog = rate.catalog(at)
    for i, row in enumerate(rows):
        name, market = row["market_id"], rate.markets[i]
        source = print_["sources"][name] if print_ else None
        entered, where = source is not None and source.state == "included", f"{ticker} {name}"
        compared.number("share of a source", where, source.weight if entered else catalog[i], row["weight"])
        price = 100 * source.mark.price if entered and not quiet else None
        compared.written("price of a source", where, price, row.get("latest_price"), 4)
        compared.same("active source", where, market is not None and not market.settled, row["is_active"])
        compared.number("volume of a source row", where, source.volume if source else None, row.get("volume"))
        far = source is not None and source.outlier and not quiet
        compared.same("outlier of a source row", where, far, row.get("outlier", False))


def compare_list(compared, window, days, rows, printed, standings, now):
    """The change of the level over a window, in percent; none across the start of a series."""
    for row in rows:
        ticker = row["ticker"]
        prints = printed["index"][ticker]
        last, before = prints.newest(now), prints.newest(now - days * DAY)
        ours = None
        if last is not None and before is not None and before >= series_start(standings["index"][ticker]):
            then = prints[before]["level"]
            ours = None if then == 0 else 100 * (prints[last]["level"] / then - 1)
        compared.written("change over a window", f"{ticker} {window}", ours, row.get("change_percent"), 6)


def compare_earlier(compared, asked, printed, standings):
    """Latest values and what they rest on, as they were answered at an earlier instant."""
    now = asked["now"]
    for kind, field, places in (("index", "indices", 6), ("rate", "rates", 4)):
        for row in asked[field]["data"]:
            ticker = row["ticker"]
            compared.method = method_of(standings[kind][ticker].definition)
            prints, where = printed[kind][ticker], f"{ticker} {now}"
            last = prints.newest(now)
            # A rate's price is left out on the public tier once it is quiet, an index's on this one never.
            if last is None or kind == "rate" and now - last > 7 * DAY:
                compared.same("no price yet or any more", where, None, row.get("latest_price"))
                continue
            print_ = prints[last]
            price = print_["level"] if kind == "index" else 100 * print_["price"]
            compared.written("earlier price", where, price, row.get("latest_price"), places)
            lines = print_["lines" if kind == "index" else "sources"].values()
            inputs = [line for line in lines if line.state == "included"]
            compare_confidence(compared, where, inputs, last, now, row["confidence"], print_.get("coverage"))


def compare_answers(compared, printed, standings, answers, now):
    for ticker, index in standings["index"].items():
        compared.method = method_of(index.definition)
        if ticker in answers["indices"]:
            compare_index(compared, ticker, index, printed["index"][ticker], answers["indices"][ticker], now)
    for ticker, rate in standings["rate"].items():
        compared.method = method_of(rate.definition)
        if ticker in answers["rates"]:
            compare_rate(compared, ticker, rate, printed["rate"][ticker], answers["rates"][ticker], now)
    compared.method = "lists"
    for window, days in WINDOWS.items():
        rows = [row for row in answers["lists"][window]["data"] if row["ticker"] in standings["index"]]
        compare_list(compared, window, days, rows, printed, standings, now)
    for asked in answers["earlier"]:
        compare_earlier(compared, asked, printed, standings)
    compared.method = "lists"
    rows = {ticker: index.standing() or {} for ticker, index in standings["index"].items()}
    for name, answer in answers["memberships"].items():
        for row in answer["data"] if answer else []:
            if row["ticker"] in rows and name in rows[row["ticker"]]:
                line = rows[row["ticker"]][name]
                compared.number("membership weight", f"{name} {row['ticker']}", line.weight, row["weight"])
