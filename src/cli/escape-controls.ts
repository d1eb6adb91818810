/** Control characters, which a terminal acts on, and those that reverse the order of text; line ends and tabs are ours. */
const ACTED_ON = /[^\t\n\P{Cc}]|[\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * A text that is safe to print: venues put what they like into their titles, and a terminal would act on it. Such
 * characters are escaped as in JSON, so that JSON stays the same JSON.
 *
 * @example escapeControls('\u001b[2J') // '\\u001b[2J'
 */
export function escapeControls(text: string): string {
  return text.replace(ACTED_ON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
