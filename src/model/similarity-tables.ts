import { z } from 'zod';

const about = z.string().min(1).describe('What the table holds, for who edits it');
const phrases = z.array(z.string().min(1));
const aliases = z.record(z.string().min(1), phrases);

/**
 * Names in groups of one kind: full names with their aliases. An alias of up to five capital letters is recognised only
 * where the text has it in capitals, any other alias of one word only where the text has it with an initial capital.
 */
const nameTable = z.strictObject({
  about,
  groups: z.array(
    z.strictObject({
      kind: z.enum([
        'team',
        'state',
        'country',
        'city',
        'person',
        'institution',
        'party',
        'company',
        'competition',
        'asset',
      ]),
      within: z.string().optional().describe('The league of a group of teams'),
      names: aliases,
    }),
  ),
});

const wordTable = z.strictObject({
  about,
  stop: phrases.describe('Words that carry no subject'),
  same: aliases.describe('Words that are read as another'),
});

const facetTable = z.strictObject({
  about,
  facets: z.record(
    z.string(),
    z.strictObject({
      conflict: z.number().min(0).max(1).describe('Similarity is multiplied by it when the values differ'),
      missing: z.number().min(0).max(1).describe('... when only one text names a value'),
      values: aliases,
    }),
  ),
});

const calendarTable = z.strictObject({
  about,
  months: z.record(z.string(), phrases),
  before: phrases.describe('Words before a date that a thing must precede'),
  by: phrases.describe('Words before a date that is the last that counts'),
});

const unitTable = z.strictObject({
  about,
  multipliers: z.record(z.string(), z.number().positive()),
  units: z.record(z.string(), z.record(z.string(), z.number().positive())),
  numbers: z.record(z.string(), z.number()),
});

/** The shape of each file of data/similarity, by its name. */
export const similarityFiles = {
  teams: nameTable,
  places: nameTable,
  people: nameTable,
  institutions: nameTable,
  tokens: nameTable,
  words: wordTable,
  facets: facetTable,
  calendar: calendarTable,
  units: unitTable,
} as const;

/** General domain knowledge used to compare texts. */
export interface SimilarityTables {
  names: z.output<typeof nameTable>['groups'];
  words: z.output<typeof wordTable>;
  facets: z.output<typeof facetTable>['facets'];
  calendar: z.output<typeof calendarTable>;
  units: z.output<typeof unitTable>;
}

/** The kind of a name. `name`: a name recognised only by its capitals; `district`: a congressional district. */
export type NameKind = SimilarityTables['names'][number]['kind'] | 'district' | 'name';
