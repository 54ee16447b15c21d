import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What IANA has given to the registries of the world, as whole blocks; the rest of IPv6 is nobody's, whatever it may become
 * one day. A block that is given out later is refused until it stands here.
 */
const ALLOCATED_IPV6 = [
  '2001::/16',
  '2003::/18',
  '2400::/11',
  '2600::/11',
  '2620::/23',
  '2630::/12',
  '2800::/12',
  '2a00::/11',
  '2c00::/12',
].map((block) => ipaddr.IPv6.parseCIDR(block));
/** Protocols, not places: Teredo, benchmarks, overlays, and anycast of a network's own boxes. */
const IPV6_PROTOCOLS = ipaddr.IPv6.parseCIDR('2001::/23');
/** The last 64 bits of an address that a tunnel (ISATAP) takes apart, to send to the IPv4 address at its end. */
const TUNNEL_IDS = new Set(['0:5efe', '200:5efe']);

/** Public by number, private by use: the address under which every Azure machine finds its host. */
const HOST_SERVICES = new Set(['168.63.129.16']);

/** Whether an address in canonical notation may be connected to: everything but allocated global unicast may not. */
export function isPublicAddress(address: string): boolean {
  // The parser below also reads `0x7f.1` and `1.2.3`, which no resolver returns and no two programs agree on.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || HOST_SERVICES.has(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || isPublicIpv6(parsed as ipaddr.IPv6);
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  const tunnelId = address.parts
    .slice(4, 6)
    .map((part) => part.toString(16))
    .join(':');
  if (TUNNEL_IDS.has(tunnelId) || address.match(IPV6_PROTOCOLS)) return false;
  return ALLOCATED_IPV6.some((block) => address.match(block));
}
