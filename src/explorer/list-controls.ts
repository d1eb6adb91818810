import { html, nothing, type TemplateResult } from 'lit-html';
import { linkTo, type PageContext } from './page.ts';
import type { PublicPath } from './public-documents.ts';

/** Those parameters of the address that the outlet understands: none on a host of files. */
export function askedOf(
  { documents, parameters }: PageContext,
  path: PublicPath,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = parameters.get(name)?.trim();
      return value && documents.offers(path, name) ? [[name, value]] : [];
    }),
  );
}

/** A form whose choices become the page's address; each choice submits it. */
export function listForm(
  page: string,
  controls: unknown,
  addressOf = (chosen: Record<string, string>) => linkTo(page, '', chosen),
): TemplateResult {
  const send = (event: Event) => {
    event.preventDefault();
    const chosen = [...new FormData(event.currentTarget as HTMLFormElement)].flatMap(([name, value]) => {
      const text = String(value).trim();
      return text === '' ? [] : [[name, text]];
    });
    location.hash = addressOf(Object.fromEntries(chosen));
  };
  return html`<form class="controls" role="search" @submit=${send}>${controls}</form>`;
}

/** A choice in a list's form, set to the value in the address. */
export function choice(
  { parameters }: PageContext,
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
): TemplateResult {
  const now = parameters.get(name) ?? '';
  const pick = (event: Event) => (event.target as HTMLSelectElement).form?.requestSubmit();
  return html`<label>${label} <select name=${name} @change=${pick}>
    ${options.map(([value, text]) => html`<option value=${value} .selected=${value === now}>${text}</option>`)}
  </select></label>`;
}

/** Links to the previous and next page of a list; on a host of files, a note that the rest is elsewhere. */
export function turning(
  { documents, parameters }: PageContext,
  page: string,
  path: PublicPath,
  hasNext: boolean,
): TemplateResult | typeof nothing {
  if (!documents.offers(path, 'page'))
    return hasNext ? html`<p class="note">The rest of the list is available from the server.</p>` : nothing;
  const now = Math.max(1, Number(parameters.get('page')) || 1);
  const to = (number: number) =>
    html`<a href=${linkTo(page, '', { ...Object.fromEntries(parameters), page: String(number) })}>Page ${number}</a>`;
  return html`<nav aria-label="Pages of the list" class="turning">
    ${now > 1 ? to(now - 1) : nothing} ${hasNext ? to(now + 1) : nothing}
  </nav>`;
}
