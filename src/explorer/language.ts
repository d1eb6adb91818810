/**
 * A browser on a system without a locale names a language that is none (`en-US@posix`), and uPlot formats by it as it
 * loads: such a name gives way. Stands before everything else that is imported.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' });
}
