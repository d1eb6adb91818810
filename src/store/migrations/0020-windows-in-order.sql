-- A list in its order whose rows are to close within a window: each row is told from the index alone.
DROP INDEX markets_by_listing;
DROP INDEX markets_by_volume;
DROP INDEX markets_of_venue_by_listing;
DROP INDEX markets_of_venue_by_volume;

CREATE INDEX markets_by_listing ON markets (coalesce(listed_at, first_seen_at), market_id, closes_at);
CREATE INDEX markets_by_volume ON markets (volume, market_id, closes_at);
CREATE INDEX markets_of_venue_by_listing
  ON markets (substr(market_id, 1, 7), coalesce(listed_at, first_seen_at), market_id, closes_at);
CREATE INDEX markets_of_venue_by_volume ON markets (substr(market_id, 1, 7), volume, market_id, closes_at);
