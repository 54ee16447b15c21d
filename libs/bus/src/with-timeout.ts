/**
 * Resolves as the work does or, where that takes longer, with what `onTimeout` returns or throws. The work itself goes on,
 * and its outcome is then ignored: what can be canceled is canceled in `onTimeout`.
 *
 * Not p-timeout, which refuses a limit of 0 ms, as a spent budget leaves one, and whose releases for Node 20 have ended (7.0.2).
 */
export async function withTimeout<Result, Late>(
  work: Promise<Result>,
  timeoutMs: number,
  onTimeout: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  }).then(onTimeout);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
