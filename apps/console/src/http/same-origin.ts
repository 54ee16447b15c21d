import type { IncomingHttpHeaders } from 'node:http';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isWrite(method: string): boolean {
  return !SAFE_METHODS.has(method);
}

/**
 * Whether a request that changes something comes from the console's own pages, or from no page at all. Browsers send `Origin`
 * with such requests; `Sec-Fetch-Site` cannot be set by scripts.
 */
export function isFromOwnPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, ownOrigin: string): boolean {
  if (origin !== undefined && origin !== ownOrigin) return false;
  return site === undefined || site === 'same-origin' || site === 'none';
}
