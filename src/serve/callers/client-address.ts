import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { type Env, headerOf, incomingOf } from '../request-context.ts';

/** The client that a request counts for and, for IPv6, the wider network within which it could change its address. */
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
 * The client behind a request: the peer of the socket, or the address that the first trusted proxy saw. An IPv4 address
 * has one key however it is written; an IPv6 client is a /64, which one household has to itself, within a /48. An
 * unreadable header counts as the peer, never as somebody new.
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

/** Recently parsed addresses: parsing one costs as much as finding a route. */
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
