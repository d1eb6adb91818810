/**
 * A text as the searches compare it: lower case, without accents, and each sign as the plain ones that it stands for.
 *
 * @example foldText('ＦＥＤ Cömmittee ﬁnal') // 'fed committee final'
 */
export function foldText(text: string): string {
  return (isAscii(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase();
}

/** Whether a text has only ASCII characters. */
export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}
