/**
 * The explorer shows the whole public product from its public documents alone. It promises to ask only the outlet that it
 * came from, and never for a whole catalog. It knows the shapes of the documents, but not how they are made.
 */
import './language.ts';
import 'uplot/dist/uPlot.min.css';
import { html, nothing, render } from 'lit-html';
import { element, picture } from '../charts/svg.ts';
import { type Documents, findOutlet, openDocuments, UnreadableDocument } from './documents.ts';
import { linkTo, type Page, parseLink } from './page.ts';
import { findPage, listPages } from './pages/pages.ts';
import { drawing } from './parts.ts';
import { startTheme, themeSwitch } from './theme.ts';
import { nameVenues } from './words.ts';
import './charts/series-chart.ts';

const LOGO = picture(
  { width: 22, height: 22 },
  element('rect', { width: 22, height: 22, rx: 5, fill: 'currentColor' }),
  element('path', { d: 'M4 15l4-5 4 3 6-8', fill: 'none', stroke: 'var(--ground)', 'stroke-width': 2.5 }),
);

const content = document.querySelector<HTMLElement>('#content') as HTMLElement;
const top = document.querySelector<HTMLElement>('#top') as HTMLElement;
const bottom = document.querySelector<HTMLElement>('#bottom') as HTMLElement;

function showHeader(documents: Documents, here: Page | undefined): void {
  const offered = listPages.filter((page) => page.needs.every((path) => documents.offers(path)));
  const { label } = documents.outlet;
  render(
    html`<a class="brand" href="#/">${drawing(LOGO)} Foremark</a>
      ${label ? html`<span class="mark" title="What this data is">${label} data</span>` : nothing}
      <nav aria-label="Pages">
        ${offered.map(
          (page) =>
            html`<a href=${linkTo(page.name)} aria-current=${page.name === here?.name ? 'page' : nothing}>${page.label}</a>`,
        )}
      </nav>
      ${themeSwitch()}`,
    top,
  );
  showInNavigation();
}

/** Scrolls to the current page in the navigation, which is wider than a phone's screen. */
function showInNavigation(): void {
  const current = top.querySelector<HTMLElement>('[aria-current]');
  const nav = current?.parentElement;
  // Unlike scrollIntoView, this does not move the keyboard's position.
  if (nav) nav.scrollLeft = current.offsetLeft - nav.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
}

function showProblem(thrown: unknown): void {
  const message =
    thrown instanceof UnreadableDocument ? thrown.message : 'this page cannot be drawn from its documents';
  content.ariaBusy = 'false';
  render(html`<h1>Not readable now</h1><p class="note" role="alert">${message}</p>`, content);
}

async function open(documents: Documents, moved: boolean): Promise<void> {
  let hash = location.hash;
  const { name, id, parameters } = parseLink(hash);
  const page = findPage(name, id);
  showHeader(documents, page);
  // Until then the page before is shown.
  content.ariaBusy = 'true';
  let first = true;
  const show = (template: unknown) => {
    if (location.hash !== hash) return;
    content.ariaBusy = 'false';
    render(template, content);
    const title = content.querySelector('h1')?.textContent?.trim();
    document.title = title ? `${title} · Foremark` : 'Foremark';
    // A choice in the form of a list leaves the keyboard at the choice.
    if (first && moved && !content.querySelector('select:focus')) {
      scrollTo(0, 0);
      content.focus({ preventScroll: true });
    }
    first = false;
  };
  const keep = (chosen: Readonly<Record<string, string>>) => {
    if (location.hash !== hash) return;
    history.replaceState(null, '', linkTo(name, id, chosen));
    hash = location.hash;
  };
  try {
    if (page) await page.open({ documents, id, parameters, keep, show });
    else show(html`<h1>No such page</h1><p><a href="#/">Overview</a></p>`);
    content.dataset.shown = hash;
  } catch (thrown) {
    if (location.hash === hash) showProblem(thrown);
    if (!(thrown instanceof UnreadableDocument)) throw thrown;
  }
}

// Failures of what a page requests later, as its reader types and chooses.
addEventListener('unhandledrejection', (event) => {
  if (!(event.reason instanceof UnreadableDocument)) return;
  event.preventDefault();
  showProblem(event.reason);
});
startTheme();
render(html`<p class="note">Loading …</p>`, content);
document.querySelector('.skip')?.addEventListener('click', (event) => {
  // The hash is the page's address here.
  event.preventDefault();
  content.focus();
});
try {
  const base = new URL('.', location.href);
  const outlet = await findOutlet(base);
  nameVenues(outlet.venues);
  render(
    html`<p>
      Made from the public documents of this address alone. Prices in cents, instants in UTC.
      <a href=${linkTo('status')}>Status</a>
    </p>`,
    bottom,
  );
  addEventListener('hashchange', () => open(openDocuments(base, outlet), true));
  await open(openDocuments(base, outlet), false);
} catch (thrown) {
  showProblem(thrown);
  if (!(thrown instanceof UnreadableDocument)) throw thrown;
}
