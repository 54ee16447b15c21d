import { isIP } from 'node:net';
import { errors } from 'undici';
import { parseUrl } from '@kinora/contracts/shared/texts';
import { isPublicAddress } from './address-policy';
import type { EgressAllowList } from './allow-list';

const DEFAULT_PORT = 443;

/** The host as used outside of URLs: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export function portOf(url: URL): number {
  return url.port === '' ? DEFAULT_PORT : Number(url.port);
}

/** (decisions: Public URLs) */
const MAX_URL_CHARS = 2048;
const PORTS: ReadonlySet<number> = new Set([443, 8443]);
const MAX_NAME_CHARS = 253;
/** A name that a name server can resolve; a URL parser also accepts quotes, stars, and labels of any length. */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const INTERNAL_SUFFIXES = ['localhost', 'local', 'localdomain', 'internal', 'svc', 'cluster.local'];

/**
 * The reason for which a connection to a client's URL is not permitted, as text for that client; null if it is
 * permitted. Only the URL itself is checked: its name is resolved, and the addresses are checked, at the connection.
 */
export function findUrlProblem(text: string, allow: EgressAllowList): string | null {
  if ([...text].length > MAX_URL_CHARS) return `must be at most ${MAX_URL_CHARS} characters long`;
  // A URL parser drops some of these and escapes others, so the checked URL would differ from the text.
  if (/[\s\p{Cc}]/u.test(text)) return 'must not contain spaces or control characters';
  // RFC 3986 requires a host after two slashes and no backslash; browsers' parsers accept more, others less.
  const url = /^https:\/\/[^/\\?#]+[^\\]*$/i.test(text) ? parseUrl(text) : null;
  if (!url) return 'must be an https URL';
  // A URL parser drops empty user information, so the text is checked.
  if (/^https:\/\/[^/?#]*@/i.test(text)) return 'must not contain user information';
  const [host, port] = [hostOf(url), portOf(url)];
  if (allow.allowsEndpoint(url.hostname, port) || allow.allowsAddress(host)) return null;
  if (!PORTS.has(port)) return `must use port ${[...PORTS].join(' or ')}`;
  const isPublic = isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host);
  return isPublic ? null : 'must point to a public host';
}

/** Whether a URL's host is one of those listed; `*.example.com` matches every name below example.com. */
export function isHostAmong(text: string, hosts: readonly string[]): boolean {
  const host = parseUrl(text)?.hostname.replace(/\.$/, '');
  if (host === undefined) return false;
  return hosts.some((listed) => (listed.startsWith('*.') ? host.endsWith(listed.slice(1)) : host === listed));
}

/** Whether a name can resolve in the public DNS. */
function isPublicName(host: string): boolean {
  // A trailing dot marks the root; the name is the same.
  const name = host.replace(/\.$/, '');
  const labels = name.split('.');
  if (labels.length < 2 || name.length > MAX_NAME_CHARS || !labels.every((label) => LABEL.test(label))) return false;
  return !INTERNAL_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
}

/** All that a client may learn of a failed attempt: the class, never an address, a time or text from a peer. */
export type EgressFailure =
  | 'blocked_address'
  | 'dns_error'
  | 'connection_error'
  | 'tls_error'
  | 'timeout'
  | 'invalid_response'
  | 'too_large';

export class EgressError extends Error {
  constructor(readonly failure: EgressFailure) {
    super(failure);
    this.name = 'EgressError';
  }
}

/** Error codes of Node and undici for certificate and handshake failures. */
const TLS_FAILURE = /CERT|SSL|TLS|EPROTO|UNABLE_TO/;

export function toEgressError(error: unknown, signal: AbortSignal): EgressError {
  if (error instanceof EgressError) return error;
  if (signal.aborted) return new EgressError('timeout');
  const { code = '' } = error as NodeJS.ErrnoException;
  // The parser's own errors have no code.
  const isInvalid = error instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW';
  if (isInvalid) return new EgressError('invalid_response');
  return new EgressError(TLS_FAILURE.test(code) ? 'tls_error' : 'connection_error');
}
