/** A count with thousands separators. @example formatCount(1234) // '1,234' */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US');
}

/** A count with its noun. @example counted(2, 'index', 'indices') // '2 indices' */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(value)} ${value === 1 ? noun : plural}`;
}
