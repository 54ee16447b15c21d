import { isIP } from 'node:net';
import { isPublicAddress } from './address-policy';
import type { EgressAllowList } from './allow-list';

/** Interface, "webhook_url" and LoRA `url`: "max 2048". */
const MAX_URL_CHARS = 2048;
const DEFAULT_PORT = 443;
const PORTS: ReadonlySet<number> = new Set([DEFAULT_PORT, 8443]);
const INTERNAL_SUFFIXES = ['localhost', 'local', 'localdomain', 'internal', 'svc', 'cluster.local'];

/**
 * Why a URL that a client named may not be connected to, in words for that client; null where it may. Only what
 * stands in the URL is judged: a name is resolved, and its addresses are judged, when it is connected to.
 */
export function findUrlProblem(text: string, allow: EgressAllowList): string | null {
  if ([...text].length > MAX_URL_CHARS) return `must be at most ${MAX_URL_CHARS} characters long`;
  // A URL parser drops some of these and escapes others, so what was judged would not be what was written.
  if (/[\s\p{Cc}]/u.test(text)) return 'must not contain spaces or control characters';
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return 'must be an https URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not contain user information';
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  return findEndpointProblem(url.hostname, port, allow);
}

function findEndpointProblem(host: string, port: number, allow: EgressAllowList): string | null {
  const address = host.replace(/^\[|\]$/g, '');
  if (allow.allowsEndpoint(host, port) || allow.allowsAddress(address)) return null;
  if (!PORTS.has(port)) return `must use port ${[...PORTS].join(' or ')}`;
  const isPublic = isIP(address) === 0 ? isPublicName(host) : isPublicAddress(address);
  return isPublic ? null : 'must point to a public host';
}

/** Whether a name can be one that the whole internet knows. */
function isPublicName(host: string): boolean {
  // One trailing dot is the same name written out to its root.
  const labels = host.replace(/\.$/, '').split('.');
  if (labels.length < 2 || labels.includes('')) return false;
  return !INTERNAL_SUFFIXES.some((suffix) => `.${labels.join('.')}`.endsWith(`.${suffix}`));
}
