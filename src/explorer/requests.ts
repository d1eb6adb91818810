import { html, nothing, type TemplateResult } from 'lit-html';
import type { Documents } from './documents.ts';

/** The requests for what was found for a page so far, each to copy. */
export function requestSection({ found }: Documents): TemplateResult {
  return html`<section>
    <h2>The JSON behind this page</h2>
    ${[...found].map((address) => requestLine(address))}
  </section>`;
}

/** One request, to copy or to follow. @param header that the request needs; it is then not a link */
export function requestLine(address: string, header?: string): TemplateResult {
  const command = `curl -s ${header === undefined ? '' : `-H '${header}' `}'${address.replaceAll("'", '%27')}'`;
  return html`<div class="request">
    <code tabindex="0">${command}</code>
    <button type="button" aria-label="Copy ${command}" @click=${(event: Event) => copy(event, command)}>Copy</button>
    ${header === undefined ? html`<a href=${address}>Open</a>` : nothing}
  </div>`;
}

/** Copies a text. If the browser does not allow that, selects it so that the reader can copy it. */
async function copy(event: Event, text: string): Promise<void> {
  const button = event.currentTarget as HTMLButtonElement;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    const code = button.previousElementSibling;
    if (code) getSelection()?.selectAllChildren(code);
    button.textContent = 'Selected';
  }
}
