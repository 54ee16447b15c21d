import { parseUrl } from '@kinora/contracts/shared/parse-url';
import { Client } from 'pg';

/**
 * The administrator's address with a role in the administrator's place.
 * @throws where the driver would connect as somebody else: with the administrator's rights, and nobody would notice.
 */
export function toRoleUrl(adminUrl: string, role: string, password: string): string {
  // A user without a host, as for a socket, is taken by the driver but not by the language's own parser.
  const anonymous = adminUrl.replace(/^(\w+:\/\/)[^/?#]*@/, '$1');
  const url = parseUrl(anonymous);
  if (!url) throw refusal();
  // The driver lets the query win over what stands before the host.
  url.searchParams.delete('user');
  url.searchParams.delete('password');
  url.username = encodeURIComponent(role);
  url.password = encodeURIComponent(password);
  // Without a host there is no place before it.
  if (url.username === '') {
    url.searchParams.set('user', role);
    url.searchParams.set('password', password);
  }
  const { user, password: secret } = new Client({ connectionString: url.toString() });
  if (user !== role || secret !== password) throw refusal();
  return url.toString();
}

/** Shows nothing of the address, which may hold a password. */
function refusal(): Error {
  return new Error('no role can be put into this address, write it as postgresql://user:password@host:5432/database');
}
