/** The registries' lists by the part of their address. */
export const SEGMENTS = [
  'PTCDCMRules',
  'TradingOrganizationProducts',
  'ClearingOrganizations',
  'ClearingOrganizationRules',
] as const;
export type Segment = (typeof SEGMENTS)[number];

/** A file that was attached to a filing at an instant. */
export interface FilingAttachment {
  title: string;
  /** Path below the site. */
  path: string;
  at: number;
  content: { pdf: string[] } | { sheet: string; rows: string[][] };
}

/** A filing with all that ever happens to it. */
export interface WorldFiling {
  id: number;
  segment: Segment;
  org: string;
  received_at: number;
  /** Cells of its own, by column. */
  cells: { description?: string; product?: string; type?: string; category?: string; affected?: string };
  /** Its statuses in order, the first at its receipt. */
  steps: { at: number; status: string; remarks?: string }[];
  attachments: FilingAttachment[];
  /** The question that it is about, by the key of the truth; '' for none. */
  about: string;
}

/** The step that a filing has reached; undefined before it was received. */
export function stepAt({ steps }: WorldFiling, at: number): WorldFiling['steps'][number] | undefined {
  return steps.findLast((step) => step.at <= at);
}

/** The attachments that a filing has at an instant. */
export function attachmentsAt({ attachments }: WorldFiling, at: number): FilingAttachment[] {
  return attachments.filter((each) => each.at <= at);
}
