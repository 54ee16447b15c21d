import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What IANA has given to the registries of the world; the rest of IPv6 is nobody's, whatever it may become one day, or a
 * protocol's, as the first blocks below 2001::/16 are. A block that is given out later is refused until it stands here.
 */
const ALLOCATED_IPV6 = [
  // The years in which registries got small blocks left holes between them.
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
  return !TUNNEL_IDS.has(tunnelId) && ALLOCATED_IPV6.some((block) => address.match(block));
}
