/** The first three seats of a team index, which hold all of their members. */
export const FIRST_SEATS = ['championship', 'conference', 'division'] as const;
/** What the fourth can hold: a pair of win totals, or one game after another. */
export const FOURTH_SEATS = ['wins', 'next_game'] as const;
/** All parts of a team index; a definition has one of the last two. */
export const SEATS = [...FIRST_SEATS, ...FOURTH_SEATS] as const;
export type Seat = (typeof SEATS)[number];
