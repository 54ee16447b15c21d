/** A backend that is full or rejects a request answers immediately; without an answer for this time, it is at work. */
const AT_WORK_AFTER_MS = 1_000;

/** For submissions that last as long as the work: calls `onRunning` after a second without an answer. */
export function callAfterSilence(onRunning: () => void, broken: AbortSignal): void {
  const timer = setTimeout(onRunning, AT_WORK_AFTER_MS);
  broken.addEventListener('abort', () => clearTimeout(timer), { once: true });
}
