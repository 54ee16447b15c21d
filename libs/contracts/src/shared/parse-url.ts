/**
 * Parses a URL; null if it is none. It does not use `URL.canParse`: after many calls, its optimized form in Node 20 misreads
 * letters of Latin-1 and refuses `https://bücher.example/`.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
