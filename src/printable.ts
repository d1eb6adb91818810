/** What a terminal obeys, or what turns the order of the text around it; line ends and tabs are our own. */
const OBEYED = /[^\t\n\P{Cc}]|[\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * A text as it is printed: venues write their titles as they like, and a terminal would do what one of them says. Written
 * as JSON writes such characters, so that JSON stays what it is.
 *
 * @example printable('\u001b[2J') // '\\u001b[2J'
 */
export function printable(text: string): string {
  return text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
