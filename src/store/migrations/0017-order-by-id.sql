-- Rows that are equal in what a list is sorted by stand by their ids. A key is given in the order of arrival, in which
-- venues race: a list sorted by it differs from store to store.
DROP INDEX markets_by_listing;
DROP INDEX markets_by_volume;
DROP INDEX markets_by_close;
DROP INDEX markets_of_venue_by_listing;
DROP INDEX markets_of_venue_by_volume;
DROP INDEX markets_of_venue_by_close;
DROP INDEX markets_sort_values;
DROP INDEX events_by_listing;
-- Nothing asks for it.
DROP INDEX news_articles_by_publication;

CREATE INDEX markets_by_listing ON markets (coalesce(listed_at, first_seen_at), market_id);
CREATE INDEX markets_by_volume ON markets (volume, market_id);
CREATE INDEX markets_by_close ON markets (closes_at, market_id);
CREATE INDEX markets_of_venue_by_listing
  ON markets (substr(market_id, 1, 7), coalesce(listed_at, first_seen_at), market_id);
CREATE INDEX markets_of_venue_by_volume ON markets (substr(market_id, 1, 7), volume, market_id);
CREATE INDEX markets_of_venue_by_close ON markets (substr(market_id, 1, 7), closes_at, market_id);
CREATE INDEX events_by_listing ON events (coalesce(listed_at, first_seen_at), event_id);

-- What a search can be sorted by: ten thousand matches are looked up here, not in their whole rows.
CREATE INDEX markets_sort_values
  ON markets (market_key, volume, closes_at, coalesce(listed_at, first_seen_at), market_id);
