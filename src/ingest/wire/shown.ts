/** A venue's value as messages show it. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text =
    typeof value === 'number' ? String(value) : JSON.stringify(value, (_key, each) => brief(each, value));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

// Nested values are not shown: a hundred thousand nested lists would overflow the stack.
function brief(each: unknown, whole: unknown): unknown {
  return typeof each === 'object' && each !== null && each !== whole ? '…' : each;
}
