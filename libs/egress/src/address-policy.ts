import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The IPv6 blocks that IANA has allocated to the regional registries. All other IPv6 is unallocated or reserved for
 * protocols, such as the first blocks below 2001::/16. A block that is allocated later is refused until it is listed
 * here.
 */
const ALLOCATED_IPV6 = [
  // The registries first got small blocks, which left gaps between them.
  ...['2001:200::/23', '2001:400::/22', '2001:800::/21', '2001:1200::/23', '2001:1400::/22', '2001:1800::/21'],
  ...['2001:2000::/19', '2001:4000::/21', '2001:4800::/22', '2001:4c00::/23', '2001:5000::/20', '2001:8000::/18'],
  ...[
    '2003::/18',
    '2400::/11',
    '2600::/12',
    '2610::/23',
    '2620::/23',
    '2630::/12',
    '2800::/12',
    '2a00::/11',
    '2c00::/12',
  ],
].map((block) => ipaddr.IPv6.parseCIDR(block));
/** The last 64 bits of an ISATAP address: a tunnel forwards it to the IPv4 address that it embeds. */
const TUNNEL_IDS = new Set(['0:5efe', '200:5efe']);

/** A public address with a private use: under it every Azure machine reaches its host. */
const HOST_SERVICES = new Set(['168.63.129.16']);

/** Whether a connection to an address in canonical notation is permitted: only allocated global unicast is. */
export function isPublicAddress(address: string): boolean {
  // The parser below also reads `0x7f.1` and `1.2.3`, which no resolver returns and which programs read differently.
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
  return !TUNNEL_IDS.has(tunnelId) && ALLOCATED_IPV6.some((block) => address.match(block));
}
