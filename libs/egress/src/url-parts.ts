/** What https means where a URL names no port. */
const DEFAULT_PORT = 443;

/** The host as programs outside of URLs write it: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export function portOf(url: URL): number {
  return url.port === '' ? DEFAULT_PORT : Number(url.port);
}
