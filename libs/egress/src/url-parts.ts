/** What https means where a URL names no port. */
const DEFAULT_PORT = 443;

/** The host as programs outside of URLs write it: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export function portOf(url: URL): number {
  return url.port === '' ? DEFAULT_PORT : Number(url.port);
}

/**
 * Null for what is no URL. Not asked of `URL.canParse`: once it has been asked often, the faster form of it in Node 20
 * takes letters of Latin-1 for something else, and refuses `https://bücher.example/`.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
