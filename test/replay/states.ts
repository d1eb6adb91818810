import { basename } from 'node:path';
import { recordedFiles } from './recorded.ts';

/** A recorded state: postal code, name, electoral votes of 2024 (Maine and Nebraska with those of their districts). */
export interface State {
  code: string;
  name: string;
  electoral_votes: number;
}

const ROWS = `AL Alabama 9|AK Alaska 3|AZ Arizona 11|AR Arkansas 6|CA California 54|CO Colorado 10|CT Connecticut 7
DE Delaware 3|DC District of Columbia 3|FL Florida 30|GA Georgia 16|HI Hawaii 4|ID Idaho 4|IL Illinois 19|IN Indiana 11
IA Iowa 6|KS Kansas 6|KY Kentucky 8|LA Louisiana 8|ME Maine 4|MD Maryland 10|MA Massachusetts 11|MI Michigan 15
MN Minnesota 10|MS Mississippi 6|MO Missouri 10|MT Montana 4|NE Nebraska 5|NV Nevada 6|NH New Hampshire 4
NJ New Jersey 14|NM New Mexico 5|NY New York 28|NC North Carolina 16|ND North Dakota 3|OH Ohio 17|OK Oklahoma 7
OR Oregon 8|PA Pennsylvania 19|RI Rhode Island 4|SC South Carolina 9|SD South Dakota 3|TN Tennessee 11|TX Texas 40
UT Utah 6|VT Vermont 3|VA Virginia 13|WA Washington 12|WV West Virginia 4|WI Wisconsin 10|WY Wyoming 3`;

const recorded = new Set(
  recordedFiles('us-president-2024-by-state/csv_hour', /^[A-Z]{2}_hourly/).map((path) =>
    basename(path).slice(0, 2),
  ),
);

/** The states whose markets were recorded, by postal code. */
export const states: readonly State[] = ROWS.split(/[|\n]/)
  .map((row) => {
    const [, code = '', name = '', votes = ''] = /^(\w\w) (.+) (\d+)$/.exec(row) ?? [];
    return { code, name, electoral_votes: Number(votes) };
  })
  .filter((state) => recorded.has(state.code))
  .sort((a, b) => (a.code < b.code ? -1 : 1));
