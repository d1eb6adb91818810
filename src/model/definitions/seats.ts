/** The parts of a team index. A definition has the first three and one of the last two. */
export const SEATS = ['championship', 'conference', 'division', 'wins', 'next_game'] as const;
export type Seat = (typeof SEATS)[number];
