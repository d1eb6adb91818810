import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { type Env, headerOf, incomingOf } from '../request-context.ts';

/** The client that a request counts for and, for IPv6, the wider network that it could move within. */
export interface ClientAddress {
  key: string;
  wider?: string;
}

/** The client behind a request. @param trustedHops as {@link clientAddress} takes them */
export function clientOf(context: Context<Env>, trustedHops: number): ClientAddress {
  const peer = incomingOf(context)?.socket.remoteAddress;
  return clientAddress(peer, headerOf(context, 'x-forwarded-for'), trustedHops);
}

/**
 * The client behind a request: the peer of the socket, or what the last of the trusted proxies saw. IPv4 has one
 * spelling however it is written; of an IPv6 address the /64 counts, since one household has all of it, and the
 * /48 more loosely. What cannot be read counts for the peer, never for somebody new.
 *
 * @param forwarded the X-Forwarded-For header
 * @param trustedHops proxies in front of the server; 0 takes no notice of the header
 */
export function clientAddress(
  peer: string | undefined,
  forwarded: string | undefined,
  trustedHops: number,
): ClientAddress {
  const named = trustedHops > 0 ? forwarded?.split(',').at(-trustedHops)?.trim() : undefined;
  return (named && keysOf(named)) || (peer && keysOf(peer)) || { key: 'unknown' };
}

/**
 * Addresses that were read before: most requests come from a recent one, and to read one costs as much as to find a
 * route.
 */
const known = new LRUCache<string, ClientAddress>({ max: 10_000 });

function keysOf(written: string): ClientAddress | undefined {
  const text = written.slice(0, 64);
  const before = known.get(text);
  if (before) return before;
  const read = readKeys(text);
  if (read) known.set(text, read);
  return read;
}

function readKeys(text: string): ClientAddress | undefined {
  const bare = withoutPort(text);
  if (!ipaddr.isValid(bare) || (!bare.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(bare)))
    return undefined;
  const address = ipaddr.process(bare);
  if (address.kind() === 'ipv4') return { key: address.toString() };
  const bytes = address.toByteArray();
  const network = (bits: number) => `${Buffer.from(bytes.slice(0, bits / 8)).toString('hex')}/${bits}`;
  return { key: network(64), wider: network(48) };
}

// 192.0.2.1:4711 and [2001:db8::1]:4711 as some proxies write them; a zone index names no network.
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const plain = bracketed ?? (/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
  return plain.replace(/%.*$/, '');
}
