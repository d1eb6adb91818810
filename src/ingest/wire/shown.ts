/** A value of the wire as a message shows it. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text =
    typeof value === 'number' ? String(value) : JSON.stringify(value, (_key, each) => brief(each, value));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

// What is nested is not shown: a hundred thousand lists in each other are more than a stack holds.
function brief(each: unknown, whole: unknown): unknown {
  return typeof each === 'object' && each !== null && each !== whole ? '…' : each;
}
