import ipaddr from 'ipaddr.js';

/** The bytes of an IPv6 address that a network hands out: a customer has all addresses behind them. */
const PREFIX_BYTES = 8;

/** What counts as one client: an IPv4 address, or the /64 that an IPv6 address lies in. */
export function addressGroup(address: string): string {
  // Most are IPv4, for which nothing need be parsed.
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, PREFIX_BYTES)).toString('hex')}/64`;
}
