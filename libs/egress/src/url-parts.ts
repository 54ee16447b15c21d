/** The port of https if a URL has none. */
const DEFAULT_PORT = 443;

/** The host as used outside of URLs: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export function portOf(url: URL): number {
  return url.port === '' ? DEFAULT_PORT : Number(url.port);
}
