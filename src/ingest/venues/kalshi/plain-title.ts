const BOLD = /\*\*(?=\S)(.+?)\*\*/g;

/**
 * A title without Markdown: Kalshi writes some with the words in bold that its page shows in bold.
 *
 * @example plainTitle('Will the **high temp in NYC** be >96°?') // 'Will the high temp in NYC be >96°?'
 */
export function plainTitle(title: string): string {
  return title.replace(BOLD, '$1').trim();
}
