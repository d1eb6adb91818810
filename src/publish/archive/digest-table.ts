/** Digests of documents by key. For few documents a Map of strings will do. */
export interface Digests extends Iterable<[key: string, sha256: string]> {
  readonly size: number;
  get(key: string): string | undefined;
  has(key: string): boolean;
  keys(): Iterable<string>;
}

/** In 32-bit words. A record is the digest, the length of the key in bytes, and the key, padded with zeros. */
const DIGEST = 8;
const HEAD = DIGEST + 1;
/** Words allocated at once, or as many as one record needs; the first chunk is smaller, enough for a small publication. */
const CHUNK = 2 ** 20;
const FIRST_CHUNK = 2 ** 15;
const FIRST_ENTRIES = 1_024;

interface Chunk {
  words: Uint32Array;
  bytes: Buffer;
}

function chunkOf(words: number): Chunk {
  const buffer = new ArrayBuffer(words * 4);
  return { words: new Uint32Array(buffer), bytes: Buffer.from(buffer) };
}

/**
 * Digests by key in some 140 bytes a document: a publish holds those of all documents, and a Map of strings takes more than
 * twice as much. Entries are numbered from 0 in the order of insertion; the number of a deleted entry is not reused.
 */
export class DigestTable implements Digests {
  readonly #chunks: Chunk[] = [];
  /** Words taken of the last chunk. */
  #end = 0;
  /** Where each entry's record begins: its chunk times {@link CHUNK}, plus the word within it. */
  #places = new Uint32Array(FIRST_ENTRIES);
  #hashes = new Uint32Array(FIRST_ENTRIES);
  #isRemoved = new Uint8Array(FIRST_ENTRIES);
  /** A hash table with linear probing of entry numbers plus 1; at most half full. */
  #slots = new Uint32Array(FIRST_ENTRIES * 2);
  #entries = 0;
  #size = 0;
  /** The key being looked up, as it would be in its record. */
  #asked = chunkOf(256);
  #askedLength = 0;

  get size(): number {
    return this.#size;
  }

  /** How many entries were numbered, including deleted ones. */
  get entries(): number {
    return this.#entries;
  }

  /** The number of a key's entry; undefined where there is none. */
  entryOf(key: string): number | undefined {
    return this.#find(this.#ask(key));
  }

  /** The key of an entry; undefined if it was deleted. */
  keyAt(entry: number): string | undefined {
    if (this.#isRemoved[entry] !== 0) return undefined;
    const { words, bytes } = this.#chunkAt(entry);
    const word = this.#wordAt(entry);
    const key = (word + HEAD) * 4;
    return bytes.toString('utf8', key, key + (words[word + DIGEST] as number));
  }

  /** The digest of an entry, in hex. */
  sha256At(entry: number): string {
    const from = this.#wordAt(entry) * 4;
    return this.#chunkAt(entry).bytes.toString('hex', from, from + DIGEST * 4);
  }

  get(key: string): string | undefined {
    const entry = this.entryOf(key);
    return entry === undefined ? undefined : this.sha256At(entry);
  }

  has(key: string): boolean {
    return this.entryOf(key) !== undefined;
  }

  /**
   * @param sha256 in hex
   * @returns the number of the entry
   */
  set(key: string, sha256: string): number {
    const hash = this.#ask(key);
    const entry = this.#find(hash) ?? this.#add(hash);
    this.#chunkAt(entry).bytes.write(sha256, this.#wordAt(entry) * 4, 'hex');
    return entry;
  }

  delete(key: string): void {
    const entry = this.entryOf(key);
    if (entry === undefined) return;
    this.#isRemoved[entry] = 1;
    this.#size--;
  }

  *keys(): Generator<string> {
    for (let entry = 0; entry < this.#entries; entry++) {
      const key = this.keyAt(entry);
      if (key !== undefined) yield key;
    }
  }

  *[Symbol.iterator](): Generator<[key: string, sha256: string]> {
    for (let entry = 0; entry < this.#entries; entry++) {
      const key = this.keyAt(entry);
      if (key !== undefined) yield [key, this.sha256At(entry)];
    }
  }

  /** Keys and digests of some entries, none of them deleted. */
  *pick(entries: Iterable<number>): Generator<[key: string, sha256: string]> {
    for (const entry of entries) yield [this.keyAt(entry) as string, this.sha256At(entry)];
  }

  /** Sets the key to look up. @returns its hash */
  #ask(key: string): number {
    // A UTF-16 unit takes at most three bytes.
    if (key.length * 3 > this.#asked.bytes.length) this.#asked = chunkOf(key.length);
    const { words, bytes } = this.#asked;
    const length = bytes.write(key);
    const end = Math.ceil(length / 4);
    for (let i = length; i < end * 4; i++) bytes[i] = 0;
    this.#askedLength = length;
    let hash = length;
    for (let i = 0; i < end; i++) {
      hash = Math.imul(hash ^ (words[i] as number), 0x9e37_79b1);
      hash ^= hash >>> 15;
    }
    return hash >>> 0;
  }

  #find(hash: number): number | undefined {
    const last = this.#slots.length - 1;
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const entry = (this.#slots[slot] as number) - 1;
      if (entry < 0) return undefined;
      if (this.#hashes[entry] === hash && this.#isRemoved[entry] === 0 && this.#isAsked(entry)) return entry;
    }
  }

  #isAsked(entry: number): boolean {
    const { words } = this.#chunkAt(entry);
    const word = this.#wordAt(entry);
    if (words[word + DIGEST] !== this.#askedLength) return false;
    const asked = this.#asked.words;
    for (let i = Math.ceil(this.#askedLength / 4) - 1; i >= 0; i--)
      if (words[word + HEAD + i] !== asked[i]) return false;
    return true;
  }

  /** Adds the key being looked up. */
  #add(hash: number): number {
    if (this.#entries === this.#places.length) this.#grow();
    const entry = this.#entries++;
    const length = Math.ceil(this.#askedLength / 4);
    this.#makeRoom(HEAD + length);
    this.#places[entry] = (this.#chunks.length - 1) * CHUNK + this.#end;
    const { words } = this.#chunkAt(entry);
    words[this.#end + DIGEST] = this.#askedLength;
    words.set(this.#asked.words.subarray(0, length), this.#end + HEAD);
    this.#end += HEAD + length;
    this.#hashes[entry] = hash;
    this.#size++;
    this.#place(entry);
    return entry;
  }

  /** Adds a chunk unless the last one has enough words left. */
  #makeRoom(words: number): void {
    const last = this.#chunks.at(-1);
    if (last && this.#end + words <= last.words.length) return;
    this.#chunks.push(chunkOf(Math.max(last ? CHUNK : FIRST_CHUNK, words)));
    this.#end = 0;
  }

  #grow(): void {
    const room = this.#places.length * 2;
    this.#places = new Uint32Array(this.#places.buffer.transfer(4 * room));
    this.#hashes = new Uint32Array(this.#hashes.buffer.transfer(4 * room));
    this.#isRemoved = new Uint8Array(this.#isRemoved.buffer.transfer(room));
    this.#slots = new Uint32Array(room * 2);
    for (let entry = 0; entry < this.#entries; entry++) this.#place(entry);
  }

  /** Puts an entry into the first free slot from its hash on. */
  #place(entry: number): void {
    const last = this.#slots.length - 1;
    let slot = (this.#hashes[entry] as number) & last;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
    this.#slots[slot] = entry + 1;
  }

  #chunkAt(entry: number): Chunk {
    return this.#chunks[Math.floor((this.#places[entry] as number) / CHUNK)] as Chunk;
  }

  #wordAt(entry: number): number {
    return (this.#places[entry] as number) % CHUNK;
  }
}
