/** Control characters, which a terminal acts on, and those that reverse text; line ends and tabs are our own. */
const ACTED_ON = /[^\t\n\P{Cc}]|[\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Makes a text safe to print: venues put anything into their titles, and a terminal would act on it. The characters are
 * escaped as in JSON, so that JSON output keeps its meaning.
 *
 * @example escapeControls('\u001b[2J') // '\\u001b[2J'
 */
export function escapeControls(text: string): string {
  return text.replace(ACTED_ON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
