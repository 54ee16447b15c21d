/** Backends that are full or do not like a request say so at once; one that is silent for longer is at work. */
const AT_WORK_AFTER_MS = 1_000;

/** For submissions that last as long as the work: tells that it has begun, unless the silence is broken before. */
export function callAfterSilence(onRunning: () => void, broken: AbortSignal): void {
  const timer = setTimeout(onRunning, AT_WORK_AFTER_MS);
  broken.addEventListener('abort', () => clearTimeout(timer), { once: true });
}
