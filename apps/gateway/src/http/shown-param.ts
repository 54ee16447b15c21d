/** A name that a client made up is shown to it, but not without end. */
const PARAM_MAX_CHARS = 200;

/** The path of a field as an envelope gives it. */
export function shownParam(path: string): string {
  return path.slice(0, PARAM_MAX_CHARS);
}
