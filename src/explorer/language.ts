/**
 * On a system without a locale a browser may report an invalid language (`en-US@posix`), at which uPlot fails
 * while it loads. Such a language is replaced here, so this file is imported before all others.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' });
}
