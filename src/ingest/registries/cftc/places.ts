/** Where the registry's pages are fetched, and the site whose addresses they are known under: mostly the same. */
export interface Places {
  base_url: string;
  site: string;
}

/** The address on the site of what was found under the base address; undefined when it lies elsewhere. */
export function siteAddress(url: URL, { base_url, site }: Places): string | undefined {
  const { origin, pathname, search } = url;
  const address = `${origin}${pathname}${search}`;
  return address.startsWith(`${base_url}/`) ? `${site}${address.slice(base_url.length)}` : undefined;
}

/** Where to fetch what is known under an address of the site. */
export function fetchAddress(address: string, { base_url, site }: Places): string {
  return address.startsWith(`${site}/`) ? `${base_url}${address.slice(site.length)}` : address;
}
