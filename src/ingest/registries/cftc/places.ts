/** Where the registry's pages are fetched, and the site under whose addresses they are stored; mostly the same. */
export interface Places {
  base_url: string;
  site: string;
}

/**
 * Turns an address under the base address or the site into one under the site; undefined for any other. Older links
 * have `http:` or lack `www.`; they count as the same.
 */
export function siteAddress(url: URL, { base_url, site }: Places): string | undefined {
  const address = placeOf(url);
  const place = [base_url, site]
    .map((each) => placeOf(new URL(each)))
    .find((each) => address.startsWith(`${each}/`));
  return place === undefined ? undefined : `${site}${address.slice(place.length)}`;
}

// An address without protocol and `www.`: registry.example/folder/a.pdf.
function placeOf({ host, pathname, search }: URL): string {
  return `${host.replace(/^www\./, '')}${pathname === '/' ? '' : pathname}${search}`;
}

/** Where to fetch what is stored under an address of the site. */
export function fetchAddress(address: string, { base_url, site }: Places): string {
  return address.startsWith(`${site}/`) ? `${base_url}${address.slice(site.length)}` : address;
}
