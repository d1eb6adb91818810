const CONTROLS = /[^\t\n\r\P{Cc}]|[\p{Bidi_Control}\u200b\ufeff]/gu;

/**
 * A text without control and direction characters: a terminal acts on some, and others reverse the direction of whatever
 * follows, even a price. Line ends and tabs stay.
 */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, '');
}

/** The first character that {@link withoutControls} removes, by its number. @example findControl('a\u202e') // 'U+202E' */
export function findControl(text: string): string | undefined {
  const [found] = text.match(CONTROLS) ?? [];
  return found && `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
