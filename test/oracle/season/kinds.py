"""What is to be compared at least, so that a figure or a methodology does not fall out of the comparison unseen."""


def method_of(definition):
    """A methodology with the options that say how it weighs or goes on."""
    words = [definition["methodology"]]
    weighting = definition.get("weighting") or {}
    words += [weighting[word] for word in ("scheme",) if word in weighting]
    words += ["by quantity"] * (weighting.get("by") == "quantity")
    words += [word for word in ("cap", "rebalances") if word in weighting]
    if definition["methodology"] == "nti":
        words += [definition["fourth_seat"]]
        words += [definition["series"]] * bool(definition["reconstitutes_at"])
    if definition.get("quote_convention") == "centred":
        words.append("centred")
    if definition.get("outlier_gate", {}).get("drop"):
        words.append("drop")
    if definition["methodology"] == "rolling":
        words.append(definition["roll"]["kind"])
    if any(source.get("side") == "no" for source in definition.get("sources", [])):
        words.append("both sides")
    return ", ".join(words)


FIGURES = """
active source
admission price
age of a mark
age of a source
basis ask
basis floor
basis last
basis mid
change over a window
changes of a pair
close
constituents
correlation
correlation across a linking
count of membership events
coverage
coverage as answered
current correlation
current correlation across a linking
deletion at 0 cents
deletion at 100 cents
deletion beside a rebalance
deletion beside a reconstitution
deletion beside a settlement
deletion beside another
deletion of a held name
deletion of a live name
deletion of a name that settles then
deletion of a name that was not in
deletion of a seat's only name
deletion of a settled name
deletion of the only name
deletion that was dropped
divisor
earlier price
effective names
effective sources
excluded: crossed_book
excluded: disputed
excluded: halted
excluded: no_book
excluded: one_sided_book
excluded: stale_quote
excluded: wide_spread
exclusion and basis
grade A
grade B
grade C
groups
instant of a restatement
instants of a series
instants of prints
latest price
latest print
latest spread
level
level through a step
linking after admission
linking after reconstitution
mark of a constituent
mark of a member
mark of a name
mark of a pair
mark of a source
median spread
members of a seat
membership events
membership weight
name departed
name included
name settled
name unpriced
names
no outlier
no price yet or any more
no step at a change of book_check
no step at a change of deletions
no step at a change of texts
not quiet
official daily value
official days
oldest input
opening at the .K level
outlier
outlier of a source row
percent change of a group
point change of a group
point of a series
previous_close_1d
previous_close_7d
price
price by trades
price of a source
quiet
restated level
restated price
restated prints
restated: backfill
restated: half_cent_replaced
restated: late_settlement
restated: revised_price
seats
settlement price
share of a source
source consulted
source included
source out
spread
spread of a book
starts of a series
stated price
stats
stats that there are
step: admission
step: base
step: deletion
step: departure
step: linking
step: rebalance
step: reconstitution
step: settlement
value after a restatement
value before a restatement
volume of a source
volume of a source row
weight of a constituent
weight of a group
weight of a name
weight of a point
weight of a seat
weight of a source
""".split("\n")[1:-1]

METHODS = """
basket, attribute
basket, attribute, cap
basket, equal
basket, equal, rebalances
basket, fixed
basket, fixed, by quantity
basket, fixed, cap
basket, fixed, rebalances
basket, liquidity
basket, liquidity, cap, rebalances
basket, volume, cap, rebalances
basket, volume, rebalances
claim_price
composite
composite, cap
composite, rebalances
event_contract
gauge, attribute
gauge, attribute, cap, centred
gauge, equal
gauge, fixed
gauge, fixed, centred
lists
nti, next_game
nti, wins
nti, wins, historical
nti, wins, live
robust_median
rolling, linear_blend
rolling, step_change
simple_average
simple_average, drop
team_sleeve
total_return
volume_weighted
win_total
win_total, both sides
""".split("\n")[1:-1]
