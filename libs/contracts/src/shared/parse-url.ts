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
