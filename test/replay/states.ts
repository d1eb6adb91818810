/** A recorded state: postal code, name, electoral votes of 2024 (Nebraska with those of its districts). */
export interface State {
  code: string;
  name: string;
  electoral_votes: number;
}

const rows: readonly (readonly [code: string, name: string, electoralVotes: number])[] = [
  ['AL', 'Alabama', 9],
  ['AR', 'Arkansas', 6],
  ['AZ', 'Arizona', 11],
  ['CA', 'California', 54],
  ['CT', 'Connecticut', 7],
  ['DE', 'Delaware', 3],
  ['FL', 'Florida', 30],
  ['GA', 'Georgia', 16],
  ['HI', 'Hawaii', 4],
  ['IA', 'Iowa', 6],
  ['IL', 'Illinois', 19],
  ['KS', 'Kansas', 6],
  ['LA', 'Louisiana', 8],
  ['MD', 'Maryland', 10],
  ['MI', 'Michigan', 15],
  ['MN', 'Minnesota', 10],
  ['MS', 'Mississippi', 6],
  ['ND', 'North Dakota', 3],
  ['NE', 'Nebraska', 5],
  ['NH', 'New Hampshire', 4],
  ['NV', 'Nevada', 6],
  ['NY', 'New York', 28],
  ['OK', 'Oklahoma', 7],
  ['PA', 'Pennsylvania', 19],
  ['RI', 'Rhode Island', 4],
  ['SD', 'South Dakota', 3],
  ['TX', 'Texas', 40],
  ['VT', 'Vermont', 3],
  ['WA', 'Washington', 12],
  ['WY', 'Wyoming', 3],
];

/** The thirty states whose markets were recorded, by postal code. */
export const states: readonly State[] = rows.map(([code, name, electoral_votes]) => ({
  code,
  name,
  electoral_votes,
}));
