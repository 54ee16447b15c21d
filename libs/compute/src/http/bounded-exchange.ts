import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { AnswerTooLong, TransportError } from './failure-words';

export interface HttpAnswer {
  status: number;
  /** Names in lower case; of repeated headers, the first. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** Servers differ in their status of success (200, 201, 202). */
export function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

export interface ExchangeBounds {
  signal: AbortSignal;
  maxAnswerBytes: number;
  onSent?: () => void;
}

/**
 * One request and its whole answer, bounded in time and size. undici calls `onRequestStart` right before it writes the first
 * byte. A failure before that call (no connection, no certificate, no free socket before the abort) proves that nothing was
 * sent.
 * @throws TransportError
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  bounds: ExchangeBounds,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const collector = new AnswerCollector(bounds, { resolve, reject });
    try {
      // The signal is the only deadline: backends that answer with the result send nothing for minutes.
      dispatcher.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, collector);
    } catch (error) {
      collector.onResponseError(undefined, error);
    }
  });
}

class AnswerCollector implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: HttpAnswer['headers'] = {};
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor(
    private readonly bounds: ExchangeBounds,
    private readonly settle: { resolve: (answer: HttpAnswer) => void; reject: (error: TransportError) => void },
  ) {
    bounds.signal.addEventListener('abort', this.onAbort, { once: true });
    if (bounds.signal.aborted) this.onAbort();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // An abort here writes nothing; the promise was already rejected as not sent.
    if (this.bounds.signal.aborted) return controller.abort(new Error('aborted'));
    this.controller = controller;
    this.bounds.onSent?.();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.headers = toSingleHeaders(headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > this.bounds.maxAnswerBytes) controller.abort(new AnswerTooLong());
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.bounds.signal.removeEventListener('abort', this.onAbort);
    this.settle.resolve({ status: this.status, headers: this.headers, body: Buffer.concat(this.chunks) });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: unknown): void {
    this.bounds.signal.removeEventListener('abort', this.onAbort);
    this.settle.reject(
      error instanceof TransportError ? error : new TransportError(reasonOf(error), this.wasSent, { cause: error }),
    );
  }

  private readonly onAbort = (): void => {
    const error = new TransportError('aborted or out of time', this.wasSent);
    this.controller?.abort(error);
    this.settle.reject(error);
  };

  private get wasSent(): boolean {
    return this.controller !== undefined;
  }
}

function toSingleHeaders(headers: IncomingHttpHeaders): HttpAnswer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()[0] ?? '']));
}

/** Only codes of Node and undici, because their messages may hold addresses. */
function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'connection trouble';
}
