type Values = readonly (number | null | undefined)[];

/** The least of the values that there are, however many; undefined of none. */
export function leastOf(values: Values): number | undefined {
  return chosenOf(values, Math.min);
}

/** The greatest of the values that there are, however many; undefined of none. */
export function greatestOf(values: Values): number | undefined {
  return chosenOf(values, Math.max);
}

// One after the other: as arguments of one call, a hundred thousand are more than a stack holds.
function chosenOf(values: Values, choose: (a: number, b: number) => number): number | undefined {
  let chosen: number | undefined;
  for (const value of values)
    if (value !== undefined && value !== null) chosen = chosen === undefined ? value : choose(chosen, value);
  return chosen;
}
