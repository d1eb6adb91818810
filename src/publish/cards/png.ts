import { createRequire } from 'node:module';

/** The shipped font in the weights that cards are written in, so that a PNG is the same on every machine. */
const FONT_FILES = [
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
];

/** A picture as PNG, twice its size in pixels. */
export async function toPng(svg: string): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const { resolve } = createRequire(import.meta.url);
  const image = await renderAsync(svg, {
    fitTo: { mode: 'zoom', value: 2 },
    font: {
      fontFiles: FONT_FILES.map((file) => resolve(file)),
      loadSystemFonts: false,
      defaultFontFamily: 'Inter',
    },
  });
  return image.asPng();
}
