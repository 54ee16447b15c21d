import { getDomain } from 'tldts';

/** With this many hanging names of one domain, coincidence is ruled out. */
const MANY_NAMES = 3;
/** Without another hanging name the limit ends after this time, because the account may no longer use the domain. */
const FORGOTTEN_AFTER_MS = 10 * 60_000;
const ACCOUNTS_REMEMBERED = 1_000;
const DOMAINS_REMEMBERED = 16;

interface HangingDomain {
  names: Set<string>;
  lastAtMs: number;
}

/**
 * Accounts whose receivers hang under ever new names of one domain, as a wildcard DNS record allows. Each name alone
 * would count as a new host and get the slots of one.
 */
export class HangingNames {
  private readonly accounts = new Map<string, Map<string, HangingDomain>>();

  /** One fast answer from any name of the domain lifts the limit. */
  note({ host, account_id }: { host: string; account_id: string }, isFast: boolean, nowMs = performance.now()): void {
    const domain = registrableDomainOf(host);
    const domains = this.accounts.get(account_id) ?? new Map<string, HangingDomain>();
    const known = domains.get(domain) ?? { names: new Set<string>(), lastAtMs: nowMs };
    domains.delete(domain);
    this.accounts.delete(account_id);
    if (!isFast) {
      if (known.names.size < MANY_NAMES) known.names.add(host);
      domains.set(domain, { names: known.names, lastAtMs: nowMs });
      dropOldest(domains, DOMAINS_REMEMBERED);
    }
    if (domains.size > 0) this.accounts.set(account_id, domains);
    dropOldest(this.accounts, ACCOUNTS_REMEMBERED);
  }

  isLimited(accountId: string, nowMs = performance.now()): boolean {
    const domains = [...(this.accounts.get(accountId)?.values() ?? [])];
    return domains.some(({ names, lastAtMs }) => names.size >= MANY_NAMES && nowMs - lastAtMs < FORGOTTEN_AFTER_MS);
  }

  limitedAccounts(nowMs = performance.now()): string[] {
    return [...this.accounts.keys()].filter((accountId) => this.isLimited(accountId, nowMs));
  }
}

/**
 * By the public suffix list, without its private part (`github.io`, `nip.io`). An account can have any number of names
 * below a private suffix, and each would count as a domain of its own. Only names of one account are grouped, so a
 * shared platform limits only the account whose receivers hang.
 */
export function registrableDomainOf(host: string): string {
  const name = host.slice(0, host.lastIndexOf(':'));
  // Addresses, and names that are a suffix themselves, have no registrable domain.
  return getDomain(name, { allowPrivateDomains: false, extractHostname: false, validateHostname: false }) ?? name;
}

function dropOldest<Value>(map: Map<string, Value>, capacity: number): void {
  const [oldest] = map.keys();
  if (map.size > capacity && oldest !== undefined) map.delete(oldest);
}
