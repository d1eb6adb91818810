import { encodeCharacters, keyOfDocument, LONGEST_ID } from '../routes/id-encoding.ts';
import { OUTLET_KEY, type Outlet, type PageFiles } from '../routes/page-files.ts';
import type { PublicDocuments } from '../routes/shapes/shapes.ts';
import type { PublicPath } from './public-documents.ts';

/** A document could not be read, for a reason that is shown to the reader. */
export class UnreadableDocument extends Error {}

/** The public documents as one page reads them, from wherever it came: a static host or the server. */
export interface Documents {
  outlet: Outlet;
  /** The full addresses of what was found, in the order in which it was asked for. */
  found: ReadonlySet<string>;
  /** Whether the outlet answers a path, and a parameter of it if named. */
  offers(path: PublicPath, parameter?: string): boolean;
  /** The document of a path and id; undefined when there is none, or the outlet does not answer the path. */
  find<Path extends PublicPath>(
    path: Path,
    id?: string,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<PublicDocuments[Path] | undefined>;
  /** A file of the publication that no route answers; undefined when there is none. */
  findFile<Key extends keyof PageFiles>(key: Key): Promise<PageFiles[Key] | undefined>;
  /** The full address of a file of the publication. */
  addressOfFile(key: string): string;
}

/** Asks what is answered below an address. */
export async function findOutlet(base: URL): Promise<Outlet> {
  const outlet = await read<Outlet>(new URL(OUTLET_KEY, base).href);
  if (!outlet) throw new UnreadableDocument(`${OUTLET_KEY} is not beside this page`);
  return outlet;
}

/** The documents of an outlet, none of them read yet. */
export function openDocuments(base: URL, outlet: Outlet): Documents {
  const at = (key: string) => new URL(key, base).href;
  const found = new Set<string>();
  const readNoted = async <Body>(address: string): Promise<Body | undefined> => {
    found.add(address);
    const body = await read<Body>(address);
    if (body === undefined) found.delete(address);
    return body;
  };
  const addressOf = async (path: PublicPath, id = '', parameters: Readonly<Record<string, string>> = {}) => {
    if (outlet.answered_by === 'files') return at(keyOfDocument(path, await encodeId(id)));
    const query = new URLSearchParams(parameters).toString();
    const own = path.replace('{id}', () => encodeURIComponent(id));
    return at(`api/v1/public${own}${query ? `?${query}` : ''}`);
  };
  const offers: Documents['offers'] = (path, parameter) =>
    outlet.paths.some(
      (each) => each.path === path && (parameter === undefined || each.parameters.includes(parameter)),
    );
  return {
    outlet,
    found,
    offers,
    find: async (path, id, parameters) =>
      offers(path) ? readNoted(await addressOf(path, id, parameters)) : undefined,
    findFile: (key) => readNoted(at(key)),
    addressOfFile: at,
  };
}

async function read<Body>(address: string): Promise<Body | undefined> {
  const response = await fetch(address).catch(() => undefined);
  if (!response) throw new UnreadableDocument(`no answer from ${address}`);
  if (response.status === 404 || response.status === 403) return undefined;
  if (response.status === 429)
    throw new UnreadableDocument('too many requests in a short time; wait ten seconds and load again');
  if (!response.ok) throw new UnreadableDocument(`${address} answered ${response.status}`);
  try {
    return (await response.json()) as Body;
  } catch {
    // The answer was cut off, or is not from the outlet: a network's sign-in page, or a host's page for missing files.
    throw new UnreadableDocument(`${address} answered something else than a whole document`);
  }
}

/** An id as one part of a key; a very long one becomes its digest, as in the publisher. */
export async function encodeId(id: string): Promise<string> {
  const encoded = encodeCharacters(id);
  if (encoded.length <= LONGEST_ID) return encoded;
  const view = new DataView(new ArrayBuffer(id.length * 2));
  for (let i = 0; i < id.length; i++) view.setUint16(i * 2, id.charCodeAt(i), true);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', view));
  return `~~${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
