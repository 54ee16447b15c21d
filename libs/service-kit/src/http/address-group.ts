import ipaddr from 'ipaddr.js';

/** Length in bytes of the IPv6 prefix (/64) that a network assigns to one customer. */
const PREFIX_BYTES = 8;

/** Some proxies write the port of the client into X-Forwarded-For. Each connection has another one. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** The key that stands for one client: an IPv4 address, or the /64 of an IPv6 address. */
export function addressGroup(address: string): string {
  // Most addresses are IPv4 and need no parsing.
  if (!address.includes(':')) return address;
  const [, ipv6 = address, ipv4] = WITH_PORT.exec(address) ?? [];
  return ipv4 ?? ipv6Group(ipv6);
}

function ipv6Group(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, PREFIX_BYTES)).toString('hex')}/64`;
}
