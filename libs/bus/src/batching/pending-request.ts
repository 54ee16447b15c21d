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

export interface Receiver {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** A request between its start and its answer, alone or in a batch. */
export class PendingRequest {
  readonly bytes: number;
  private readonly deadlineAtMs: number;
  private readonly endListeners: (() => void)[] = [];
  private isAnswered = false;

  constructor(
    readonly outgoing: OutgoingRequest,
    private readonly receiver: Receiver,
  ) {
    this.bytes = Buffer.byteLength(outgoing.requestJson);
    this.deadlineAtMs = performance.now() + outgoing.timeoutMs;
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
    if (!this.end()) return;
    let value: unknown;
    try {
      value = unwrapReply(reply);
    } catch (error) {
      this.receiver.reject(error);
      return;
    }
    this.receiver.resolve(value);
  }

  fail(error: unknown): void {
    if (this.end()) this.receiver.reject(error);
  }

  /** Fails a request that got no answer in time. */
  expire(): void {
    if (!this.isAnswered) this.fail(this.outgoing.timeoutError());
  }

  /** @returns whether the request was open. */
  private end(): boolean {
    if (this.isAnswered) return false;
    this.isAnswered = true;
    for (const listener of this.endListeners) listener();
    return true;
  }
}
