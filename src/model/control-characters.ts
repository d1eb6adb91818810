const CONTROLS = /[^\t\n\r\P{Cc}]|[\p{Bidi_Control}\u200b\ufeff]/gu;

/**
 * A text without control and direction characters: a terminal acts on some, and others reverse the direction of whatever
 * follows, even a price. Line ends and tabs stay.
 */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, '');
}

/** What is wrong with a text that {@link withoutControls} would alter. @example controlProblem('a\u202e') // '… got U+202E' */
export function controlProblem(text: string): string | undefined {
  const [found] = text.match(CONTROLS) ?? [];
  if (found === undefined) return undefined;
  const number = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `must have no control or direction characters, got U+${number}`;
}
