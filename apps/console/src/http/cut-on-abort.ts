import type { ClientRequest } from 'node:http';

/**
 * Cuts a request when the signal is aborted, until its response is complete. Node's own option `signal` acts later, too, when
 * the connection may already carry another request.
 */
export function cutOnAbort(outgoing: ClientRequest, signal: AbortSignal): void {
  const cut = (): void => void outgoing.destroy();
  if (signal.aborted) return cut();
  signal.addEventListener('abort', cut);
  const ended = (): void => signal.removeEventListener('abort', cut);
  outgoing.once('error', ended).once('response', (response) => response.once('end', ended).once('close', ended));
}
