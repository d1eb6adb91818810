const BOLD = /\*\*(?=\S)(.+?)\*\*/g;
const BLANKS = /\s+/g;

/**
 * A title as it is read: Kalshi writes some in Markdown, with the words in bold that its page shows in bold, and
 * leaves two blanks where a part of its template is empty. Rules are told as they are written.
 *
 * @example plainTitle('Will the **high temp in NYC** be  >96°?') // 'Will the high temp in NYC be >96°?'
 */
export function plainTitle(title: string): string {
  return title.replace(BOLD, '$1').replace(BLANKS, ' ').trim();
}
