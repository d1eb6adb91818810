/** Prints what was measured, and beside it the result. */
export function print(name: string, value: string): void {
  process.stdout.write(`${name.padEnd(66)} ${value}\n`);
}
