type Values = readonly (number | null | undefined)[];

/** The least of any number of values, ignoring null and undefined; undefined if none is left. */
export function leastOf(values: Values): number | undefined {
  return chosenOf(values, Math.min);
}

/** The greatest of any number of values, ignoring null and undefined; undefined if none is left. */
export function greatestOf(values: Values): number | undefined {
  return chosenOf(values, Math.max);
}

// A loop, because a hundred thousand arguments of one call overflow the stack.
function chosenOf(values: Values, choose: (a: number, b: number) => number): number | undefined {
  let chosen: number | undefined;
  for (const value of values)
    if (value !== undefined && value !== null) chosen = chosen === undefined ? value : choose(chosen, value);
  return chosen;
}
