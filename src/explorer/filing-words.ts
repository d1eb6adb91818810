/** The registries' lists by what they hold. */
const FEEDS: Readonly<Record<string, string>> = {
  ptc_dcm_rules: 'Rules of contract markets',
  dcm_products: 'Products of contract markets',
  dco: 'Clearing organizations',
  dco_rules: 'Rules of clearing organizations',
};

/** What a feed of filings holds. */
export function feedInWords(feed: string): string {
  return FEEDS[feed] ?? feed;
}
