import { z } from 'zod';
import { ForemarkError } from '../../model/errors.ts';
import { parseInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';

/**
 * The archive of what was published, as it lies in a folder or bucket: objects by content address, shards that
 * map document keys to objects, one record a generation, and the pointer, which names the newest. All but the
 * pointer is never changed, so that who follows it sees one generation whole. What changes lies in a few shards
 * before the many that hold all, until these are made anew: so a generation costs about what changed.
 */

/** Where objects are read from. */
export interface ObjectReader {
  /** The bytes under a key, or undefined when there are none. */
  read(key: string): Promise<Buffer | undefined>;
  /**
   * What differs when other bytes stand under a key, without reading them; undefined when there are none. Absent
   * where it would cost as much as to read.
   */
  stamp?(key: string): string | undefined;
}

export const POINTER_KEY = 'archive/pointer.json';
export const OBJECTS = 'archive/objects/';
export const SHARDS = 'archive/shards/';
export const GENERATIONS = 'archive/generations/';

/** Key of the bytes with a digest. */
export function objectKey(sha256: string): string {
  return `${OBJECTS}${sha256.slice(0, 2)}/${sha256}`;
}

/** Key of the shard with a digest. */
export function shardKey(sha256: string): string {
  return `${SHARDS}${sha256.slice(0, 2)}/${sha256}.json`;
}

/** Key of a generation's record. */
export function generationKey({ generation, sha256 }: Pick<GenerationRef, 'generation' | 'sha256'>): string {
  return `${GENERATIONS}${String(generation).padStart(10, '0')}-${sha256}.json`;
}

const SHA256 = /^[0-9a-f]{64}$/;
const sha256 = z.string().regex(SHA256);
const instant = z
  .string()
  .refine((text) => parseInstant(text) !== undefined)
  .transform((text) => parseInstant(text) as Instant);

const generationRef = z.object({ generation: z.int().min(1), sha256, published_at: instant });
/** A generation by its number, the digest of its record, and the instant at which the pointer moved to it. */
export type GenerationRef = z.output<typeof generationRef>;

const pointer = generationRef.extend({
  format: z.literal(1),
  /** The oldest generation that is kept. */
  oldest: z.int().min(1),
  /** Set while old generations are being taken away. */
  pruning: z.boolean().optional(),
  /** How often that was begun or ended while this generation stood: a pointer never stands as it stood before a prune. */
  prunes: z.int().min(1).optional(),
  /** Digest of the generation from after the clock that this one was put back for: so it never stands as it stood then. */
  instead_of: sha256.optional(),
});
export type Pointer = z.output<typeof pointer>;

const record = z.object({
  /** 1 in archives from before there were changes. */
  format: z.literal([1, 2]),
  generation: z.int().min(1),
  /** The instant that the documents are answered as of. */
  as_of: instant,
  published_at: instant,
  label: z.string(),
  documents: z.int().min(0),
  /** The generation whose documents these are again, after a rollback. */
  restores: z.int().min(1).optional(),
  parent: generationRef.optional(),
  /** An earlier ancestor, so chosen that any one is found in a few steps. */
  jump: generationRef.optional(),
  /** Digests of the shards; a document is in the one at CRC-32 of its key modulo their number. */
  shards: z.array(sha256).min(1),
  /** Digests of the shards that count before those, by the same rule: of documents that differ from what those say. */
  changes: z.array(sha256).default([]),
});
/** What a generation consists of. */
export type GenerationRecord = z.output<typeof record>;

/** Digests of documents by key. */
export type Shard = ReadonlyMap<string, string>;

/** In place of the digest of a document that is gone, in the shards of changes. */
export const GONE = '';

/** The digests of all shards that a generation names. */
export function shardsNamed({ shards, changes }: GenerationRecord): string[] {
  return [...shards, ...changes];
}

/** @throws ForemarkError archive_damaged */
export const parsePointer = (body: Buffer): Pointer =>
  parse((text) => pointer.parse(JSON.parse(text)), POINTER_KEY, body);
/** @throws ForemarkError archive_damaged */
export const parseRecord = (key: string, body: Buffer): GenerationRecord =>
  parse((text) => record.parse(JSON.parse(text)), key, body);
/** @throws ForemarkError archive_damaged */
export const parseShard = (key: string, body: Buffer): Shard => parse(shardFrom, key, body);

/**
 * By hand, as shards are written, since every publish reads all of them: JSON.parse makes an object of so many names, which
 * takes twice as long. They are held to their digest as well.
 */
function shardFrom(text: string): Shard {
  if (text === '{}') return new Map();
  const rows = text.includes('\\')
    ? Object.entries<string>(JSON.parse(text))
    : text
        .slice('{"'.length, -'"}'.length)
        .split('","')
        .map((row) => row.split('":"') as [key: string, sha256: string]);
  for (const [, sha256] of rows)
    if (sha256?.length !== 64 && sha256 !== GONE) throw new TypeError('a document must have a digest');
  return new Map(rows);
}

function parse<Parsed>(shape: (text: string) => Parsed, key: string, body: Buffer): Parsed {
  try {
    return shape(body.toString());
  } catch (cause) {
    throw new ForemarkError('archive_damaged', `${key} of the archive is not what it should be`, { cause });
  }
}
