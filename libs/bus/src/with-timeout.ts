/**
 * Settles as the work does or, if that takes longer than the limit (milliseconds, or a deadline), with what `onTimeout` returns or throws. The work then
 * continues, and its outcome is ignored. `onTimeout` cancels what can be canceled.
 *
 * Not p-timeout: it refuses a limit of 0 ms, which is what a spent budget leaves. Its releases for Node 20 have ended (7.0.2).
 */
export async function withTimeout<Result, Late>(
  work: Promise<Result>,
  limit: number | AbortSignal,
  onTimeout: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    if (typeof limit === 'number') timer = setTimeout(resolve, limit);
    else if (limit.aborted) resolve();
    else limit.addEventListener('abort', () => resolve(), { once: true });
  }).then(onTimeout);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
