import { OBJECTS, objectKey } from '../../store/archive/archive.ts';

/** 32-bit words kept of a digest: no two digests of an archive agree in 128 bits. */
const WORDS = 4;
const FIRST_SLOTS = 1_024;
/** Hex digits of a SHA-256. */
const HEX = 64;

/**
 * A set of archive keys. Nearly all name objects; of these 128 bits of the digest are kept, in at most 48 bytes each. A
 * Set of strings would take some 150, and is limited to 2^24, which five-minute publications reach within months.
 */
export class ArchiveKeys {
  readonly #others = new Set<string>();
  /** A hash table with linear probing, by the first word of each digest; a free slot is all zeros. At most two thirds full. */
  #slots = new Uint32Array(FIRST_SLOTS * WORDS);
  #digests = 0;
  /** The digest being looked up. */
  readonly #asked = new Uint32Array(WORDS);

  has(key: string): boolean {
    return this.#ask(key) ? !isFree(this.#slots, find(this.#slots, this.#asked)) : this.#others.has(key);
  }

  add(key: string): void {
    if (!this.#ask(key)) {
      this.#others.add(key);
      return;
    }
    const place = find(this.#slots, this.#asked);
    if (!isFree(this.#slots, place)) return;
    this.#slots.set(this.#asked, place);
    this.#digests++;
    if (this.#digests * 3 > (this.#slots.length / WORDS) * 2) this.#grow();
  }

  /** Takes the digest from an object's key. @returns false for any other key */
  #ask(key: string): boolean {
    const sha256 = key.slice(-HEX);
    if (!key.startsWith(OBJECTS) || key !== objectKey(sha256)) return false;
    for (let word = 0; word < WORDS; word++)
      this.#asked[word] = Number.parseInt(sha256.slice(word * 8, word * 8 + 8), 16);
    return true;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    for (let place = 0; place < before.length; place += WORDS) {
      if (isFree(before, place)) continue;
      const digest = before.subarray(place, place + WORDS);
      this.#slots.set(digest, find(this.#slots, digest));
    }
  }
}

function isFree(slots: Uint32Array, place: number): boolean {
  for (let word = 0; word < WORDS; word++) if (slots[place + word] !== 0) return false;
  return true;
}

/** The place of a digest, or the free place where it belongs. */
function find(slots: Uint32Array, digest: Uint32Array): number {
  const count = slots.length / WORDS;
  for (let slot = (digest[0] as number) % count; ; slot = (slot + 1) % count) {
    const place = slot * WORDS;
    if (isFree(slots, place) || isAt(slots, place, digest)) return place;
  }
}

function isAt(slots: Uint32Array, place: number, digest: Uint32Array): boolean {
  for (let word = 0; word < WORDS; word++) if (slots[place + word] !== digest[word]) return false;
  return true;
}
