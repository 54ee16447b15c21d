import { isIP } from 'node:net';
import { parseUrl } from '@kinora/contracts/shared/parse-url';
import { isPublicAddress } from './address-policy';
import type { EgressAllowList } from './allow-list';
import { hostOf, portOf } from './url-parts';

/** (decisions: Public URLs) */
const MAX_URL_CHARS = 2048;
const PORTS: ReadonlySet<number> = new Set([443, 8443]);
const MAX_NAME_CHARS = 253;
/** What a name server can be asked for; a URL parser lets quotes and stars through, and parts of any length. */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const INTERNAL_SUFFIXES = ['localhost', 'local', 'localdomain', 'internal', 'svc', 'cluster.local'];

/**
 * Why a URL that a client named may not be connected to, in words for that client; null where it may. Only what
 * stands in the URL is judged: a name is resolved, and its addresses are judged, when it is connected to.
 */
export function findUrlProblem(text: string, allow: EgressAllowList): string | null {
  if ([...text].length > MAX_URL_CHARS) return `must be at most ${MAX_URL_CHARS} characters long`;
  // A URL parser drops some of these and escapes others, so what was judged would not be what was written.
  if (/[\s\p{Cc}]/u.test(text)) return 'must not contain spaces or control characters';
  // RFC 3986 has a host after two slashes and no backslash; a browser's parser reads more into it, and others less.
  const url = /^https:\/\/[^/\\?#]+[^\\]*$/i.test(text) ? parseUrl(text) : null;
  if (!url) return 'must be an https URL';
  // A URL parser forgets user information that is empty, so that the text is judged.
  if (/^https:\/\/[^/?#]*@/i.test(text)) return 'must not contain user information';
  const [host, port] = [hostOf(url), portOf(url)];
  if (allow.allowsEndpoint(url.hostname, port) || allow.allowsAddress(host)) return null;
  if (!PORTS.has(port)) return `must use port ${[...PORTS].join(' or ')}`;
  const isPublic = isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host);
  return isPublic ? null : 'must point to a public host';
}

/** Whether a URL's host is one of those listed, where `*.example.com` is every name below example.com. */
export function isHostAmong(text: string, hosts: readonly string[]): boolean {
  const host = parseUrl(text)?.hostname.replace(/\.$/, '');
  if (host === undefined) return false;
  return hosts.some((listed) => (listed.startsWith('*.') ? host.endsWith(listed.slice(1)) : host === listed));
}

/** Whether a name can be one that the whole internet knows. */
function isPublicName(host: string): boolean {
  // One trailing dot is the same name written out to its root.
  const name = host.replace(/\.$/, '');
  const labels = name.split('.');
  if (labels.length < 2 || name.length > MAX_NAME_CHARS || !labels.every((label) => LABEL.test(label))) return false;
  return !INTERNAL_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
}
