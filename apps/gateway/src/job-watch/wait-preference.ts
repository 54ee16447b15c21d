/** (decisions: Waiting for a job) */
const MAX_SECONDS = 60;
/** One preference of a list, RFC 7240: `wait=20`, `wait="20"`, with optional parameters after a semicolon. */
const WAIT = /^\s*wait\s*=\s*(?:(\d+)|"(\d+)")\s*(?:;.*)?$/i;
const IS_WAIT = /^\s*wait\s*(?:[=;]|$)/i;
/** One preference of a list: a comma within a quoted string does not end it, and an escaped quote does not end the string. */
const PREFERENCE = /(?:[^",]|"(?:[^"\\]|\\.?)*(?:"|$))+/g;

/**
 * The seconds of `Prefer: wait=N`, at most 60; null where no valid one is sent. The first `wait` counts (RFC 7240), and a
 * malformed one is ignored like every other preference.
 */
export function waitSecondsOf(prefer: string | string[] | undefined): number | null {
  const first = [prefer ?? []]
    .flat()
    .flatMap((header) => header.match(PREFERENCE) ?? [])
    .find((preference) => IS_WAIT.test(preference));
  const [, plain, quoted] = WAIT.exec(first ?? '') ?? [];
  const seconds = Number(plain ?? quoted ?? 0);
  return seconds >= 1 ? Math.min(seconds, MAX_SECONDS) : null;
}
