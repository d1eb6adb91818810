/** What changes in the definitions and the settings between two commands. */
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { EDITS, edit, MISTAKES } from './edits.ts';
import { type Operation, pick } from './operation.ts';

export const editing: fc.Arbitrary<Operation> = fc
  .array(
    fc.record({
      edit: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...EDITS) },
        { weight: 1, arbitrary: fc.constantFrom(...MISTAKES) },
      ),
      pick,
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((edits) => ({
    name: edits.map((each) => `${each.edit} (${each.pick})`).join(', '),
    act(place) {
      for (const each of edits) edit(place, each.edit, each.pick);
    },
  }));

/** All first definitions, as they were. */
export const restoring: fc.Arbitrary<Operation> = fc.constant({
  name: 'restore all definitions',
  act(place) {
    for (const { path, text } of place.first) writeFileSync(path, text);
  },
});

const VENUES = ['venue_a', 'venue_b_global', 'venue_b_us', 'venue_c', 'venue_c_forecastex'];

const SETTINGS: Record<string, (settings: Record<string, Record<string, unknown>>, pick: number) => unknown> =
  {
    'a venue off or on': ({ venues = {} }, pick) => {
      const venue = venues[VENUES[pick % VENUES.length] as string] as Record<string, unknown>;
      venue.enabled = venue.enabled === false;
    },
    'the registry off or on': ({ registries = {} }) => {
      const cftc = registries.cftc as Record<string, unknown>;
      cftc.enabled = cftc.enabled === false;
    },
    'other news': ({ news = {} }) => (news.feeds as unknown[]).push((news.feeds as unknown[]).shift()),
    scope: (settings, pick) =>
      (settings.scope = [
        {},
        { min_volume: 1000 },
        { series: ['SIMFED'] },
        { without_categories: ['Economics'] },
      ][pick % 4] as Record<string, unknown>),
    variants: (settings, pick) =>
      (settings.publish = { ...settings.publish, variants: [[], ['gz'], ['gz', 'br']][pick % 3] }),
    bulk: (settings) => (settings.publish = { ...settings.publish, bulk: settings.publish?.bulk === false }),
    cards: (settings) =>
      (settings.publish = { ...settings.publish, cards: settings.publish?.cards === false }),
    label: (settings, pick) => Object.assign(settings, { data_label: ['', 'simulated'][pick % 2] }),
    crawls: ({ ingest = {} }, pick) => (ingest.full_crawl_minutes = [0, 90, 600][pick % 3]),
  };

export const setting: fc.Arbitrary<Operation> = fc
  .record({ what: fc.constantFrom(...Object.keys(SETTINGS)), pick })
  .map(({ what, pick }) => ({
    name: `settings: ${what} (${pick})`,
    act(place) {
      const { settings } = place;
      SETTINGS[what]?.(settings, pick);
      place.settings = settings;
    },
  }));
