/**
 * On a system without a locale a browser may report an invalid language (`en-US@posix`), which makes uPlot fail to load.
 * This file replaces such a language, so it is imported first.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' });
}
