import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { escapeText } from '../../charts/svg.ts';
import { textWidth, type WidthOf } from '../../charts/text-width.ts';
import { ForemarkError } from '../../model/errors.ts';
import { memoized } from '../../model/memoized.ts';
import { digestOf } from '../archive/digest.ts';

/** The shipped font in the weights that cards are written in, so that a PNG is the same on every machine. */
const FONT_FILES = [
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
];

/** Letters whose widths in the shipped font are known. */
const KNOWN = /^[\p{sc=Latn}\p{sc=Zyyy}]*$/u;

/** Draws cards in the shipped font, and characters that it lacks in other fonts. */
export interface Renderer {
  /** Digest of the other fonts; undefined without any. */
  fonts: string | undefined;
  /** A picture as PNG, twice its size in pixels. */
  toPng(svg: string): Promise<Buffer>;
  /** The width of a text in bold, in the unit of its size; takes about a millisecond if not all letters are Latin. */
  widthOf: WidthOf;
}

/**
 * @param files of other fonts; the first that has a letter draws it
 * @throws ForemarkError invalid_configuration for a font that cannot be used, which the renderer would ignore silently
 */
export async function openRenderer(files: readonly string[]): Promise<Renderer> {
  const { Resvg, renderAsync } = await import('@resvg/resvg-js');
  const { resolve } = createRequire(import.meta.url);
  for (const file of files) {
    const font = { fontFiles: [file], loadSystemFonts: false };
    if (!new Resvg(pictureOf('<text>A</text>'), { font }).getBBox())
      throw new ForemarkError('invalid_configuration', `publish.card_fonts: ${file} cannot be drawn with`);
  }
  const font = {
    fontFiles: [...FONT_FILES.map((file) => resolve(file)), ...files],
    loadSystemFonts: false,
    defaultFontFamily: 'Inter',
  };
  const widthDrawn = memoized((text: string) => new Resvg(pictureOf(text), { font }).getBBox()?.width ?? 0);
  return {
    fonts:
      files.length === 0 ? undefined : digestOf(files.map((file) => digestOf(readFileSync(file))).join()),
    toPng: async (svg) => (await renderAsync(svg, { fitTo: { mode: 'zoom', value: 2 }, font })).asPng(),
    widthOf(text, size) {
      if (KNOWN.test(text)) return textWidth(text, size);
      return widthDrawn(
        `<text font-family="Inter" font-size="${size}" font-weight="600">${escapeText(text)}</text>`,
      );
    },
  };
}

/** A picture that contains only this. */
function pictureOf(drawn: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">${drawn}</svg>`;
}
