import type { TemplateResult } from 'lit-html';
import type { Documents } from './documents.ts';
import type { PublicPath } from './public-documents.ts';

/** What a page works with. */
export interface PageContext {
  documents: Documents;
  /** The id in the address, decoded; '' where it has none. */
  id: string;
  /** The parameters in the address. */
  parameters: URLSearchParams;
  /** Puts the reader's choices into the address, so that they are still there when the reader comes back. */
  keep(parameters: Readonly<Record<string, string>>): void;
  /** Shows the page's content, each time it changes; does nothing once the reader has left. */
  show(content: TemplateResult): void;
}

/** A kind of page. */
export interface Page {
  /** The first part of its address, after the `#/`. */
  name: string;
  open(context: PageContext): Promise<void>;
}

/** A page without an id in its address, in the navigation if the outlet has what it needs. */
export interface ListPage extends Page {
  label: string;
  /** The documents that it cannot do without. */
  needs: readonly PublicPath[];
}

/** The address of a page within the site. @example linkTo('indices', 'A/B') // '#/indices/A%2FB' */
export function linkTo(name: string, id = '', parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(parameters).toString();
  return `#/${name}${id ? `/${encodeURIComponent(id)}` : ''}${query ? `?${query}` : ''}`;
}

/** Parses the part of an address after the `#`. */
export function parseLink(hash: string): { name: string; id: string; parameters: URLSearchParams } {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [name = '', id = ''] = path.split('/', 2);
  return { name, id: decoded(id), parameters: new URLSearchParams(query) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
