import { html, type TemplateResult } from 'lit-html';

const KEY = 'foremark-theme';
const THEMES = { auto: 'System', light: 'Light', dark: 'Dark' } as const;
type Theme = keyof typeof THEMES;

/** The event when the colours of the page have changed. */
export const THEME_CHANGED = 'foremark-theme-changed';

/** Applies the chosen theme, light in print, and announces changes of the system's theme. */
export function startTheme(): void {
  apply(chosen());
  addEventListener('beforeprint', () => apply('light'));
  addEventListener('afterprint', () => apply(chosen()));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
    dispatchEvent(new Event(THEME_CHANGED)),
  );
}

/** The switch between the system's theme, light and dark. */
export function themeSwitch(): TemplateResult {
  const now = chosen();
  return html`<label class="theme">
    <span class="unseen">Theme</span>
    <select @change=${(event: Event) => choose((event.target as HTMLSelectElement).value as Theme)}>
      ${Object.entries(THEMES).map(
        ([theme, label]) => html`<option value=${theme} .selected=${theme === now}>${label}</option>`,
      )}
    </select>
  </label>`;
}

function chosen(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'auto';
  } catch {
    // Storage is denied: use the system's theme.
    return 'auto';
  }
}

function choose(theme: Theme): void {
  apply(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage is denied: the choice holds for this visit.
  }
}

function apply(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  dispatchEvent(new Event(THEME_CHANGED));
}
