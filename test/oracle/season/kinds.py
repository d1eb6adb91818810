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


FIGURES = []
METHODS = []
