import { parseUrl } from '@kinora/contracts/shared/parse-url';
import { Client } from 'pg';

/**
 * Replaces the administrator in the address by a role.
 * @throws if the driver would connect as another user, because the context would then silently run with the administrator's
 * rights.
 */
export function toRoleUrl(adminUrl: string, role: string, password: string): string {
  // The driver accepts a user without a host, as for a socket; the WHATWG URL parser does not.
  const anonymous = adminUrl.replace(/^(\w+:\/\/)[^/?#]*@/, '$1');
  const url = parseUrl(anonymous);
  if (!url) throw refusal();
  // For the driver, the query parameters override the part before the host.
  url.searchParams.delete('user');
  url.searchParams.delete('password');
  url.username = encodeURIComponent(role);
  url.password = encodeURIComponent(password);
  // Without a host, the address has no place for a user before it.
  if (url.username === '') {
    url.searchParams.set('user', role);
    url.searchParams.set('password', password);
  }
  const { user, password: secret } = new Client({ connectionString: url.toString() });
  if (user !== role || secret !== password) throw refusal();
  return url.toString();
}

/** Quotes nothing of the address, which may hold a password. */
function refusal(): Error {
  return new Error('no role can be put into this address, write it as postgresql://user:password@host:5432/database');
}
