"""Marks: the ladder and the two switches of the methodology document."""

from decimal import Decimal
from typing import NamedTuple, Optional

from facts import DAY, HOUR

HALF_CENT = Decimal("0.005")
# What a name was paid, or taken out at.
FINAL = ("settlement", "stated")


class Mark(NamedTuple):
    price: Decimal
    basis: str
    at: int
    spread: Optional[Decimal] = None


def book_of(market, at):
    """The newest book, unless it is over a day old and the price history went on."""
    book = market.newest("books", at)
    history = market.newest("histories", at)
    if book and history and history["at"] > book["at"] and at - book["at"] > DAY:
        return None
    return book


def ladder(market, at):
    """None when there is no price."""
    status, payout, since = market.life(at)
    if status == "settled":
        return Mark(payout, "settlement", since)
    book = book_of(market, at)
    trade = market.newest("lasts" if book else "prices", at)
    last = Mark(trade["last"], "last", trade["at"]) if trade else None
    if book is None:
        return last
    bid, ask = book["bid"], book["ask"]
    if bid is not None and ask is not None:
        if bid > ask:
            return last
        return Mark((bid + ask) / 2, "mid", book["at"], ask - bid)
    if last:
        return last
    if bid is not None or ask is not None:
        return Mark(bid, "bid", book["at"]) if ask is None else Mark(ask, "ask", book["at"])
    return Mark(HALF_CENT, "floor", book["at"]) if status == "active" else None


def for_rate(market, at):
    """A source enters unless its market is not trading, or was last seen over seven days ago."""
    if market is None or market.life(at)[0] != "active":
        return None
    seen = market.seen_at(at)
    if seen is None or at - seen > 7 * DAY:
        return None
    return ladder(market, at)


def for_index(market, at, limits):
    """('good', mark), ('settled', payoff), or ('failed', reason)."""
    if market is None:
        return "failed", "no_book"
    status, payout, since = market.life(at)
    if status == "settled":
        return "settled", Mark(payout, "settlement", since)
    if status != "active":
        return "failed", "disputed" if status == "disputed" else "halted"
    book = book_of(market, at)
    if book is None:
        trade = market.newest("prices", at)
        return ("good", Mark(trade["last"], "last", trade["at"])) if trade else ("failed", "no_book")
    bid, ask = book["bid"], book["ask"]
    if bid is None and ask is None:
        return "failed", "no_book"
    if at - book["at"] > limits["max_quote_age_hours"] * HOUR:
        return "failed", "stale_quote"
    if bid is None or ask is None:
        return "failed", "one_sided_book"
    if bid > ask:
        return "failed", "crossed_book"
    if ask - bid > Decimal(str(limits["max_spread_cents"])) / 100:
        return "failed", "wide_spread"
    return "good", Mark((bid + ask) / 2, "mid", book["at"], ask - bid)
