import type { Readable } from 'node:stream';
import { z } from 'zod';
import { ForemarkError } from '../../model/errors.ts';
import { parseInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';

/**
 * The format of the archive of published documents in a folder or bucket: content-addressed objects, shards that map
 * document keys to objects, one record per generation, and a pointer to the newest. Only the pointer ever changes, so
 * that a reader who follows it sees one complete generation. Changed documents are listed in a few extra shards, which
 * take precedence over the many base shards until these are rewritten, so that the cost of a generation is roughly
 * proportional to what changed.
 */

/** What tells the versions of an object apart without reading it. */
export interface Stamp {
  version: string;
  /** No two versions of an object have it within the same second. */
  modified_at: Instant;
}

/** An object opened for reading piece by piece: its bytes stay the same, whatever is put under its key meanwhile. */
export interface OpenObject {
  /** In bytes. */
  size: number;
  stamp: Stamp;
  /** Reads all bytes, or those of a range, both ends included; each call reads them anew. */
  read(range?: { start: number; end: number }): Readable;
  close(): Promise<void>;
}

/** A source of archive objects. */
export interface ObjectReader {
  /** The bytes under a key; undefined when there are none. */
  read(key: string): Promise<Buffer | undefined>;
  /**
   * The stamp of what is under a key; undefined when nothing is. The method is absent where it would cost as much as
   * reading.
   */
  stamp?(key: string): Stamp | undefined;
  /**
   * Opens the bytes under a key; undefined when there are none. The method is absent if objects are only read whole.
   */
  open?(key: string): Promise<OpenObject | undefined>;
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
  /** The oldest generation that is still kept. */
  oldest: z.int().min(1),
  /** Set while old generations are being deleted. */
  pruning: z.boolean().optional(),
  /**
   * Number of prunes begun or ended while this generation is the newest, so that each changes the pointer's content.
   */
  prunes: z.int().min(1).optional(),
  /**
   * Digest of a newer generation, dated after the present, that this one was restored to replace. It makes the pointer
   * differ from what it was when this generation was first the newest.
   */
  instead_of: sha256.optional(),
});
export type Pointer = z.output<typeof pointer>;

const record = z.object({
  /** 1 in older archives, without `changes`. */
  format: z.literal([1, 2]),
  generation: z.int().min(1),
  /** The as-of instant of the documents. */
  as_of: instant,
  published_at: instant,
  label: z.string(),
  /** The first run of the store that the documents are from, which distinguishes stores; absent in older archives. */
  first_run_at: instant.optional(),
  documents: z.int().min(0),
  /** After a rollback, the generation whose documents are published again. */
  restores: z.int().min(1).optional(),
  parent: generationRef.optional(),
  /** A skip pointer to an earlier ancestor, by which any ancestor is found in a few steps. */
  jump: generationRef.optional(),
  /** Digests of the base shards; a document is in the one at CRC-32 of its key modulo their number. */
  shards: z.array(sha256).min(1),
  /**
   * Digests of the shards of changed documents, placed by the same rule, which take precedence over the base shards.
   */
  changes: z.array(sha256).default([]),
});
export type GenerationRecord = z.output<typeof record>;

/** Digests of documents by key. */
export type Shard = ReadonlyMap<string, string>;

/** Stands for the digest of a removed document in the shards of changes. */
export const GONE = '';

/** The digests of all shards of a generation. */
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
 * Parses a shard by splitting its text, which has a fixed form. JSON.parse would build an object with as many keys,
 * which takes twice as long, and every publish reads all shards. The digest of the text is checked elsewhere.
 */
function shardFrom(text: string): Shard {
  if (text === '{}') return new Map();
  const rows = text.includes('\\')
    ? Object.entries<string>(JSON.parse(text))
    : text
        .slice('{"'.length, -'"}'.length)
        .split('","')
        .map((row) => row.split('":"') as [key: string, sha256: string]);
  for (const [key, sha256] of rows) {
    if (sha256?.length !== 64 && sha256 !== GONE) throw new TypeError('a document must have a digest');
    // No key of ours has two dots in a row; somebody else's could lead out of the folder that it is written to.
    if (key.includes('..')) throw new TypeError('a document must lie in the tree');
  }
  return new Map(rows);
}

function parse<Parsed>(shape: (text: string) => Parsed, key: string, body: Buffer): Parsed {
  try {
    return shape(body.toString());
  } catch (cause) {
    throw new ForemarkError('archive_damaged', `${key} of the archive cannot be read`, { cause });
  }
}
