/** A problem that the user can solve: its message is printed as one line, and says what to do. */
export class StartProblem extends Error {}

/** The error code of the operating system or of a server: `ENOENT`, `ECONNREFUSED`, … */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
