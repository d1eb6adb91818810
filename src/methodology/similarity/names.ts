import type { NameKind } from '../../model/similarity-tables.ts';
import { alikeWords } from './character-grams.ts';
import type { Name, Profile } from './profile.ts';

/** How much a name of each kind tells about the question. A name recognised only by its capitals may not be one. */
const WEIGHTS: Record<NameKind, number> = {
  team: 1,
  person: 1,
  asset: 1,
  company: 1,
  district: 1,
  state: 0.9,
  city: 0.9,
  party: 0.8,
  name: 0.8,
  country: 0.6,
  competition: 0.6,
  institution: 0.5,
};

/** Kinds that can replace each other. */
const PLACES: ReadonlySet<NameKind> = new Set(['state', 'city', 'country', 'district']);

/**
 * Whether two names may mean the same: one is part of the other, an acronym of it, or their last words are spelled
 * alike.
 */
export function sameName(a: Name, b: Name): boolean {
  if (a.name === b.name) return true;
  // Names from the tables are complete, and a district is not part of another.
  if (a.kind === b.kind && a.kind !== 'name') return false;
  if (a.kind === 'district' || b.kind === 'district') return false;
  const [short, long] = a.words.length <= b.words.length ? [a, b] : [b, a];
  if (short.words.every((word) => long.words.includes(word))) return true;
  if (a.kind !== 'name' && b.kind !== 'name') return false;
  if (isAcronym(short, long)) return true;
  const last = (name: Name) => name.words.at(-1) ?? '';
  if (!alikeWords(last(a), last(b))) return false;
  const first = (name: Name) => name.words[0] ?? '';
  return short.words.length === 1 || first(a).charAt(0) === first(b).charAt(0);
}

/** Whether a name is an acronym of another: "CBL" of the "Continental Basketball League". */
function isAcronym(short: Name, long: Name): boolean {
  const [word = ''] = short.words;
  return (
    short.words.length === 1 &&
    word.length > 1 &&
    word.length === long.words.length &&
    word === long.words.map((each) => each.charAt(0)).join('')
  );
}

/** How the names of two texts agree. */
export interface NameAgreement {
  /** Weight of the names that both texts have. */
  shared: number;
  /** Whether the only shared name is that of a place or institution, about which there are many questions. */
  oneBroad: boolean;
  /** Weights of the names that only one has. */
  onlyA: number;
  onlyB: number;
  /** Pairs of different names, one from each text, in the same role. */
  conflicts: [Name, Name][];
}

type Said = Pick<Profile, 'names' | 'words'>;

/**
 * Compares the names of two texts. A name also counts as shared if all its words are in the other text, even if it was
 * not recognised as a name there.
 */
export function compareNames(a: Said, b: Said): NameAgreement {
  const leftA: Name[] = [];
  const leftB: Name[] = [];
  let shared = 0;
  let named = 0;
  let broad = true;
  const share = ({ kind }: Name) => {
    shared += WEIGHTS[kind];
    broad &&= PLACES.has(kind) || kind === 'institution';
  };
  for (const name of a.names) {
    if (b.names.some((other) => sameName(name, other)) || said(name, b.words)) {
      share(name);
      named++;
    } else leftA.push(name);
  }
  for (const name of b.names) {
    if (a.names.some((other) => sameName(name, other)) || said(name, a.words)) share(name);
    else leftB.push(name);
  }
  const conflicts: [Name, Name][] = [];
  const used = new Set<Name>();
  for (const name of leftA) {
    const rival = leftB.find((other) => !used.has(other) && rivals(name, other));
    if (!rival) continue;
    used.add(rival);
    conflicts.push([name, rival]);
  }
  const sum = (names: readonly Name[]) => names.reduce((total, name) => total + WEIGHTS[name.kind], 0);
  return {
    shared: shared / 2,
    oneBroad: broad && named === 1,
    onlyA: sum(leftA),
    onlyB: sum(leftB),
    conflicts,
  };
}

function said(name: Name, words: ReadonlyMap<string, number>): boolean {
  return name.words.every((word) => words.has(word));
}

/** Whether one name can replace the other. */
export function rivals(a: Name, b: Name): boolean {
  return (
    a.kind === b.kind || a.kind === 'name' || b.kind === 'name' || (PLACES.has(a.kind) && PLACES.has(b.kind))
  );
}
