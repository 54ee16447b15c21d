import { performance } from 'node:perf_hooks';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { type OpenSpan, currentTraceparent, openSpan } from '@kinora/tracing';
import type { Caller } from '../call-context';
import type { CallMeter } from '../call-meter';
import { outcomeOfError } from '../call-outcome';
import { CLIENT_SPAN } from '../spans';
import type { BatchSender } from './batch-sender';

/** An item of a batch with the answer to its request, or its error. */
export interface Answered<Item, Response> {
  item: Item;
  outcome: PromiseSettledResult<Response>;
}

export interface BatchRequestOptions<Item, Request, Response> {
  toRequest: (item: Item) => Request;
  /** Shorter than the contract's timeout, in milliseconds. */
  withinMs?: number;
  /** Called for each group of items that were answered together. */
  onAnswers: (answered: Answered<Item, Response>[]) => Promise<void>;
}

/** Sends one request for each item, as one message. Resolves when `onAnswers` has handled the last answer, and rejects as it does. */
export function requestBatch<Item extends { caller: Caller }, Request, Response>(
  { sender, meter }: { sender: BatchSender; meter: CallMeter },
  { subject, timeoutMs }: RpcContract<Request, Response>,
  items: Item[],
  { toRequest, withinMs = timeoutMs, onAnswers }: BatchRequestOptions<Item, Request, Response>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const answers = new AnswerGroups<Item, Response>(items.length, onAnswers, resolve, reject);
    const startedAtMs = performance.now();
    const requests = items.map((item) => {
      const { call, traceparent } = item.caller;
      const span = traceparent === undefined ? null : openSpan(traceparent, subject, CLIENT_SPAN);
      const leftMs = call ? call.deadlineAtMs - startedAtMs : withinMs;
      const end = (outcome: PromiseSettledResult<Response>): void => {
        const result = outcome.status === 'fulfilled' ? 'ok' : outcomeOfError(outcome.reason);
        meter.answered(subject, result, (performance.now() - startedAtMs) / 1_000);
        span?.end(result === 'ok' ? undefined : result);
        answers.add({ item, outcome });
      };
      return sender.open(
        {
          subject,
          request: toRequest(item),
          caller: { call, traceparent: traceparentOf(span) ?? traceparent },
          timeoutMs: Math.min(timeoutMs, withinMs, leftMs),
        },
        {
          resolve: (value) => end({ status: 'fulfilled', value: value as Response }),
          reject: (reason: unknown) => end({ status: 'rejected', reason }),
        },
      );
    });
    sender.sendTogether(subject, requests);
  });
}

function traceparentOf(span: OpenSpan | null): string | undefined {
  return span?.enter(currentTraceparent);
}

/** Passes on together what is answered together: by one message, or by one timer. */
class AnswerGroups<Item, Response> {
  private ready: Answered<Item, Response>[] = [];
  /** Items that are not handled yet. */
  private open: number;

  constructor(
    items: number,
    private readonly onAnswers: (answered: Answered<Item, Response>[]) => Promise<void>,
    private readonly resolve: () => void,
    private readonly reject: (error: unknown) => void,
  ) {
    this.open = items;
    if (items === 0) resolve();
  }

  add(answered: Answered<Item, Response>): void {
    // A microtask runs after all answers of the message are read.
    if (this.ready.length === 0) queueMicrotask(() => void this.flush());
    this.ready.push(answered);
  }

  private async flush(): Promise<void> {
    const group = this.ready;
    this.ready = [];
    try {
      await this.onAnswers(group);
    } catch (error) {
      this.reject(error);
    }
    this.open -= group.length;
    if (this.open === 0) this.resolve();
  }
}
