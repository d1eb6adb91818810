"""Independent reckoning of the two-venue rate FED-2025-12-HOLD from the recorded books.

Standard library only, in decimals, straight from the published rules; shares no code with the product.
Usage: python3 test/oracle/fed-2025-12.py [recorded folder]   (default: REAL_DATA or ../shared/real)
Writes test/oracle/fed-2025-12.json.

Rules worked here:
* a bid is one with a size, above 0 and below 100 cents; the ask is 100 less the No bid, under the same rule;
* mark of a venue: middle of bid and ask when both stand and bid <= ask; one side alone gives that side
  (no trades were recorded); crossed gives none;
* rate: plain average of the venues' marks, in cents; spread: highest less lowest mark, 0 with one.

`recorded` has a row for every recorded half-hour: the rate of a run at that very instant.
`grid` has a row for every 30 minutes from the first recorded instant to the last, from the newest books at or
before each; a row where nothing newer than the row before was recorded is left out, as there is no print.
"""

import csv
import json
import os
import sys
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path

HERE = Path(__file__).resolve().parent
HALF_HOUR_MS = 30 * 60 * 1000


def iso(ms):
    stamp = datetime.fromtimestamp(ms // 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{stamp}.{ms % 1000:03d}Z"


def side(cents, size):
    return cents if size > 0 and 0 < cents < 100 else None


def mark(row, venue):
    bid = side(100 * Decimal(row[f"{venue}_best_bid_yes"]), Decimal(row[f"{venue}_depth_best_yes"]))
    ask = side(100 - 100 * Decimal(row[f"{venue}_best_bid_no"]), Decimal(row[f"{venue}_depth_best_no"]))
    if bid is not None and ask is not None:
        return (bid + ask) / 2 if bid <= ask else None
    return bid if bid is not None else ask


def rate(row):
    marks = [one for one in (mark(row, "kalshi"), mark(row, "poly")) if one is not None]
    return (sum(marks) / len(marks), max(marks) - min(marks), len(marks)) if marks else None


def main():
    default = os.environ.get("REAL_DATA", HERE / "../../../shared/real")
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else default) / "fed-dec-2025-two-venue-books"
    with open(folder / "no_change_30min_part1.csv", newline="", encoding="utf-8") as file:
        rows = [(int(row["timestamp_ms"]), row) for row in csv.DictReader(file)]
    rows.sort(key=lambda one: one[0])
    rates = [(at, rate(row)) for at, row in rows]
    assert all(found is not None and found[2] == 2 for _, found in rates)

    grid, seen = [], None
    i = 0
    for at in range(rates[0][0], rates[-1][0] + 1, HALF_HOUR_MS):
        while i + 1 < len(rates) and rates[i + 1][0] <= at:
            i += 1
        if seen is None or rates[i][0] > seen:
            grid.append((at, rates[i][1]))
            seen = at

    def line(at, found):
        price, spread, _ = found
        return json.dumps([iso(at), float(price), float(spread)])

    target = HERE / "fed-2025-12.json"
    parts = {
        "source": json.dumps("test/oracle/fed-2025-12.py over the recorded books"),
        "columns": json.dumps(["at", "price_cents", "spread_cents"]),
        "recorded_count": str(len(rates)),
        "grid_count": str(len(grid)),
        "recorded": "[\n" + ",\n".join("    " + line(*one) for one in rates) + "\n  ]",
        "grid": "[\n" + ",\n".join("    " + line(*one) for one in grid) + "\n  ]",
    }
    body = ",\n".join(f"  {json.dumps(key)}: {value}" for key, value in parts.items())
    target.write_text("{\n" + body + "\n}\n", encoding="utf-8")
    print(f"{target.name}: {len(rates)} half-hours, {len(grid)} prints on the grid, last {float(rates[-1][1][0])} cents")


main()
