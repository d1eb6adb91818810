-- From a filing to the markets of its terms: a series has few of all events.
CREATE INDEX events_by_series ON events (series, family);
