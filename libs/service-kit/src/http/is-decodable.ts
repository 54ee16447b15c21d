/** Whether a part of a URL is percent-encoded UTF-8. */
export function isDecodable(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
