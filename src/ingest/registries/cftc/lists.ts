import type { REGISTRY_FEEDS } from '../../../model/filing.ts';

/** The fields of a row that have a column. */
type ColumnField =
  | 'org'
  | 'description'
  | 'product_name'
  | 'product_type'
  | 'category'
  | 'subcategory'
  | 'products_affected'
  | 'remarks'
  | 'received_day'
  | 'status'
  | 'status_day'
  | 'document_count';

export interface FilingList {
  feed: (typeof REGISTRY_FEEDS.cftc)[number];
  /** Part of the address of the list and of its filings. */
  segment: string;
  /** Field by the column's header in lower case. All of these columns are required, in any order. */
  columns: Readonly<Record<string, ColumnField>>;
  /** The same for columns that may be missing. */
  optional?: Readonly<Record<string, ColumnField>>;
}

const common = {
  organization: 'org',
  status: 'status',
  date: 'status_day',
  remarks: 'remarks',
  documents: 'document_count',
} as const;

const rules = {
  ...common,
  'filing description': 'description',
  'receipt date': 'received_day',
} as const;

/**
 * The lists under "Industry Filings" that the product reads. "Designated Contract Market Rules"
 * (TradingOrganizationRules) is a different list, which is not read.
 */
export const LISTS: readonly FilingList[] = [
  {
    feed: 'ptc_dcm_rules',
    segment: 'PTCDCMRules',
    columns: { ...rules, 'products affected': 'products_affected' },
  },
  {
    feed: 'dcm_products',
    segment: 'TradingOrganizationProducts',
    columns: { ...common, 'product name': 'product_name' },
    optional: { type: 'product_type', category: 'category', subcategory: 'subcategory' },
  },
  { feed: 'dco', segment: 'ClearingOrganizations', columns: common },
  { feed: 'dco_rules', segment: 'ClearingOrganizationRules', columns: rules },
];

/** The path of a list; a filing's path is this with its number at the end. */
export function pathOf({ segment }: FilingList): string {
  return `/IndustryOversight/IndustryFilings/${segment}`;
}
