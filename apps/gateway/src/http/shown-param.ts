/** Limits the length of a client's field name in the response. */
const PARAM_MAX_CHARS = 200;

/** The path of a field as the error envelope shows it. */
export function shownParam(path: string): string {
  return path.slice(0, PARAM_MAX_CHARS);
}
