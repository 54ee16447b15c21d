import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All of IPv6 that has been allocated as global unicast; the rest is reserved, whatever it may become one day. */
const ALLOCATED_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Public by number, private by use: the address under which every Azure machine finds its host. */
const HOST_SERVICES = new Set(['168.63.129.16']);

/** Whether an address in canonical notation may be connected to: everything but allocated global unicast may not. */
export function isPublicAddress(address: string): boolean {
  // The parser below also reads `0x7f.1` and `1.2.3`, which no resolver returns and no two programs agree on.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || HOST_SERVICES.has(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || parsed.match(ALLOCATED_IPV6);
}
