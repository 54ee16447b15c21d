import { performance } from 'node:perf_hooks';
import type { Caller } from '../call-context';
import { unwrapReply } from '../envelope';

export interface OutgoingRequest extends Caller {
  /** Between whose requests the batches are shared fairly. */
  key: string;
  /** Written once, however the request travels. */
  requestJson: string;
  timeoutMs: number;
  /** The failure of a request that was not answered in time. */
  timeoutError: () => Error;
}

/** A request from the moment that it is made until it is answered, alone or in a batch. */
export class PendingRequest {
  readonly answer: Promise<unknown>;
  readonly bytes: number;
  private readonly deadlineAtMs: number;
  private readonly timer: NodeJS.Timeout;
  private resolve: (value: unknown) => void = () => undefined;
  private reject: (error: unknown) => void = () => undefined;
  private readonly endListeners: (() => void)[] = [];
  private isAnswered = false;

  constructor(readonly outgoing: OutgoingRequest) {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.bytes = Buffer.byteLength(outgoing.requestJson);
    this.deadlineAtMs = performance.now() + outgoing.timeoutMs;
    this.timer = setTimeout(() => this.fail(outgoing.timeoutError()), outgoing.timeoutMs);
  }

  get isOpen(): boolean {
    return !this.isAnswered;
  }

  remainingMs(): number {
    return this.deadlineAtMs - performance.now();
  }

  /** Told once, as soon as there is an answer or there will be none: a promise for each who wants to know would cost more. */
  onEnd(listener: () => void): void {
    this.endListeners.push(listener);
  }

  /** The first of several answers counts. */
  settle(reply: unknown): void {
    this.end();
    try {
      this.resolve(unwrapReply(reply));
    } catch (error) {
      this.reject(error);
    }
  }

  fail(error: unknown): void {
    this.end();
    this.reject(error);
  }

  private end(): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    clearTimeout(this.timer);
    for (const listener of this.endListeners) listener();
  }
}
