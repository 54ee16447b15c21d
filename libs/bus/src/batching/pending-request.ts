import { performance } from 'node:perf_hooks';
import type { Caller } from '../call-context';
import { unwrapReply } from '../envelope';

export interface OutgoingRequest extends Caller {
  /** Key by which batches are shared fairly. */
  key: string;
  /** Encoded once, whether the request travels alone or in a batch. */
  requestJson: string;
  timeoutMs: number;
  /** The error of a request that got no answer in time. */
  timeoutError: () => Error;
}

/** A request between its start and its answer, alone or in a batch. */
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

  /** Callbacks that run once, when the request is answered or has failed. A promise for each of them would cost more. */
  onEnd(listener: () => void): void {
    this.endListeners.push(listener);
  }

  /** Only the first of several answers counts. */
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
