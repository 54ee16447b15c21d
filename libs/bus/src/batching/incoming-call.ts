import { performance } from 'node:perf_hooks';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { type OpenSpan, currentTraceparent, openSpan } from '@kinora/tracing';
import type { BusLogger } from '../bus-logger';
import { type Caller, runInCall } from '../call-context';
import { toListedError } from '../listed-error';
import { meterHandler } from '../bus-meter';
import { outcomeOfCode } from '../call-outcome';
import type { Reply } from '../envelope';
import { SERVER_SPAN } from '../spans';
import type { ReceivedItem } from './batch-message';

/** Exists in the type only. */
declare const responseType: unique symbol;

/**
 * One request of a batch as its handler receives it. It is answered by itself, whatever becomes of the others. The type
 * is invariant in the response, so that a handler cannot answer with more than the contract declares.
 */
export interface IncomingCall<Request, Response> {
  readonly request: Request;
  /** Request id, account and deadline of the call, and the trace of its span. */
  readonly caller: Caller;
  /** Runs work in this call and its trace, for its log lines and its deadline. */
  readonly run: <Result>(work: () => Result) => Result;
  /** Only the first answer or failure counts. A promise is awaited, and its rejection is the failure. */
  readonly answer: (response: Response | Promise<Response>) => void;
  /** Any error: one that the contract does not list reaches the caller as `internal_error`. */
  readonly fail: (error: unknown) => void;
  readonly [responseType]?: Response;
}

export interface ServedCallOptions {
  contract: RpcContract<never, unknown>;
  received: ReceivedItem;
  respond: (reply: Reply) => void;
  log: BusLogger;
}

/** A call that this process serves: its span, its duration and its reply. */
export class ServedCall implements IncomingCall<unknown, unknown> {
  readonly request: unknown;
  readonly caller: Caller & { call: ReceivedItem['call'] };
  private readonly span: OpenSpan | null;
  private readonly startedAtMs = performance.now();
  private isTaken = false;

  constructor(private readonly options: ServedCallOptions) {
    const { request, call, traceparent } = options.received;
    this.request = request;
    // A request without a trace begins none.
    this.span = traceparent === undefined ? null : openSpan(traceparent, options.contract.subject, SERVER_SPAN);
    this.caller = { call, traceparent: this.span?.enter(currentTraceparent) ?? traceparent };
  }

  readonly run = <Result>(work: () => Result): Result => {
    const { span } = this;
    return runInCall(this.caller.call, span ? () => span.enter(work) : work);
  };

  readonly answer = (response: unknown): void => {
    if (this.isTaken) return;
    this.isTaken = true;
    if (response instanceof Promise)
      response.then(
        (value) => this.end({ ok: value ?? null }),
        (error) => this.refuse(error),
      );
    else this.end({ ok: response ?? null });
  };

  readonly fail = (error: unknown): void => {
    if (this.isTaken) return;
    this.isTaken = true;
    this.refuse(error);
  };

  private refuse(error: unknown): void {
    const { contract, log } = this.options;
    const listed = this.run(() => toListedError(contract, error, Math.round(this.elapsedMs()), log));
    this.end({ error: listed.toPayload() });
  }

  private end(reply: Reply): void {
    const { contract, respond } = this.options;
    const code = 'error' in reply ? reply.error.code : undefined;
    meterHandler(contract.subject, code === undefined ? 'ok' : outcomeOfCode(code), this.elapsedMs() / 1_000);
    this.span?.end(code);
    respond(reply);
  }

  private elapsedMs(): number {
    return performance.now() - this.startedAtMs;
  }
}
