/** Where the registry's pages are fetched, and the site whose addresses they are known under: mostly the same. */
export interface Places {
  base_url: string;
  site: string;
}

/**
 * The address on the site of what lies under the base address or the site's own; undefined when it lies elsewhere. Older
 * links are written with `http:` or without `www.`: that is the same place, and is fetched at the base address all the same.
 */
export function siteAddress(url: URL, { base_url, site }: Places): string | undefined {
  const address = placeOf(url);
  const place = [base_url, site]
    .map((each) => placeOf(new URL(each)))
    .find((each) => address.startsWith(`${each}/`));
  return place === undefined ? undefined : `${site}${address.slice(place.length)}`;
}

// A place without how it is asked for: registry.example/folder/a.pdf.
function placeOf({ host, pathname, search }: URL): string {
  return `${host.replace(/^www\./, '')}${pathname === '/' ? '' : pathname}${search}`;
}

/** Where to fetch what is known under an address of the site. */
export function fetchAddress(address: string, { base_url, site }: Places): string {
  return address.startsWith(`${site}/`) ? `${base_url}${address.slice(site.length)}` : address;
}
