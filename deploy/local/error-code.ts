/** What the operating system, or a server, calls the error: `ENOENT`, `ECONNREFUSED`, … */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
