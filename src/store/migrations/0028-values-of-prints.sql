-- A series is read out of these alone: the prints of one ticker lie far apart, between those of all others.
CREATE INDEX index_prints_values ON index_prints (ticker, at, revision, level);
CREATE INDEX rate_prints_values ON rate_prints (ticker, at, revision, price);
