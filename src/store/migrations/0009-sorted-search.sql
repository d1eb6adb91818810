-- What a search can be sorted by, beside the key: ten thousand matches are looked up here, not in their whole rows.
CREATE INDEX markets_sort_values
  ON markets (market_key, volume, closes_at, coalesce(listed_at, first_seen_at));
