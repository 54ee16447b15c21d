import { Resolver, lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './address-policy';
import type { EgressAllowList } from './allow-list';
import { EgressError, hostOf, portOf } from './url-policy';

export interface Resolution {
  allow: EgressAllowList;
  /** Name servers to use instead of the machine's, as `address:port`. */
  nameServers: string[] | undefined;
  signal: AbortSignal;
}

const QUERY_TIMEOUT_MS = 1_000;
const QUERY_TRIES = 2;
/** All answers are checked, and at most this many are tried, so that a name with a thousand addresses ends soon. */
const MAX_ADDRESSES = 8;

/**
 * The addresses behind a URL's host, each of which is permitted.
 * @throws EgressError `blocked_address` if any one of them is not: a name that mixes them is suspicious.
 */
export async function resolveAddresses(url: URL, { allow, nameServers, signal }: Resolution): Promise<string[]> {
  const host = hostOf(url);
  // A host that an operator listed by name may be in the machine's hosts file, which name servers do not read.
  if (allow.allowsEndpoint(url.hostname, portOf(url))) return resolveLocally(host);
  const addresses = isIP(host) === 0 ? await queryNameServers(host, nameServers, signal) : [host];
  const open = addresses.every((address) => isPublicAddress(address) || allow.allowsAddress(address));
  if (!open) throw new EgressError('blocked_address');
  return addresses.slice(0, MAX_ADDRESSES);
}

async function resolveLocally(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    throw new EgressError('dns_error');
  }
}

/**
 * Not through `dns.lookup`: it runs in libuv's small thread pool, shared with the file system, so one slow name would
 * block all of it.
 */
async function queryNameServers(host: string, servers: string[] | undefined, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new EgressError(signal.aborted ? 'timeout' : 'dns_error');
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
