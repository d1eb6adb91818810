/**
 * Charts draw small pictures as SVG text: numbers in, markup out. They promise that a caller's text never becomes markup, and
 * that the same numbers give the same bytes. They know neither where the numbers come from nor who looks at them, so that
 * the browser and the publisher draw alike.
 */

/** Attributes of an element; undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

// Characters that XML may not contain at all, including lone surrogates.
const FORBIDDEN = /[^\t\n\r\P{Cc}]|[\ufffe\uffff]|\p{Cs}/gu;

/** Text escaped for SVG, between tags or in an attribute. */
export function escapeText(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"]/g, (character) => ESCAPES[character] as string);
}

/** An element with its children, which are markup already. Numbers are rounded to two decimals. */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : ` ${key}="${typeof value === 'number' ? rounded(value) : escapeText(value)}"`,
  );
  const open = `<${name}${written.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('')}</${name}>`;
}

/**
 * An SVG picture of a size in pixels, labelled for screen readers; without a label it is hidden from them.
 */
export function picture(
  { width, height, label, ...more }: Attributes & { width: number; height: number; label?: string },
  ...children: string[]
): string {
  const size = { viewBox: `0 0 ${rounded(width)} ${rounded(height)}`, width, height };
  const said = label === undefined ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': label };
  return element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size, ...more, ...said }, ...children);
}

/** A coordinate rounded to two decimals, without trailing zeros. */
export function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}
