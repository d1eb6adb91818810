type Values = readonly (number | null | undefined)[];

/** The least of the values that there are; undefined of none. */
export function leastOf(values: Values): number | undefined {
  const known = knownOf(values);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/** The greatest of the values that there are; undefined of none. */
export function greatestOf(values: Values): number | undefined {
  const known = knownOf(values);
  return known.length > 0 ? Math.max(...known) : undefined;
}

function knownOf(values: Values): number[] {
  return values.filter((value) => value !== undefined && value !== null);
}
