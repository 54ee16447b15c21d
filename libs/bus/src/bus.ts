import type { Msg, NatsConnection, RequestOptions } from 'nats';
import type { RpcContract, SignalContract } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type SpanShape, inSpan } from '@kinora/tracing';
import type { BusLogger } from './bus-logger';
import { type Caller, currentCaller, remainingMs } from './call-context';
import { toHeaders } from './call-headers';
import { type CallMeter, outcomeOfError, UNMETERED } from './bus-meter';
import { type NatsTlsFiles, connectNats, isConnected, lostAnswersOf, refusalsOf } from './connection';
import { decode, encodeText, unwrapReply } from './envelope';
import { BatchSender } from './batching/batch-sender';
import { CONNECTION_LOST } from './lost-answers';
import { isTooLarge } from './unsent-reply';

const CLIENT_SPAN: SpanShape = { kind: 'client', attributes: { 'rpc.system': 'nats' } };

/**
 * No answer has come in time: the request may have been handled, may be handled later, or never. A subject without subscribers
 * looks the same. Another context that passes this error on makes a plain `capacity` of it.
 */
export class UnansweredError extends ApiError {
  constructor() {
    super('capacity', 'A part of the service is not available right now. Please retry.');
  }
}

/** Sends requests to other contexts. An error thrown by the other context is thrown here as the same ApiError. */
export class Bus {
  private readonly batchSender: BatchSender;
  /** Signals published in this turn of the event loop, by their content. */
  private readonly hints = new Map<string, { subject: string; payloadJson: string }>();

  constructor(
    private readonly connection: NatsConnection,
    private readonly logger: BusLogger,
    private readonly meter: CallMeter = UNMETERED,
  ) {
    this.batchSender = new BatchSender({
      connection,
      sendSingle: (subject, request) =>
        this.send(subject, request.outgoing.requestJson, request.remainingMs(), request.outgoing),
      unanswered: (subject, reason) => this.unanswered(subject, reason),
      meter,
    });
  }

  /**
   * Sends a request and waits for its answer, no longer than the contract's timeout and the rest of the current call.
   * @throws ApiError: one of the contract's errors; `UnansweredError` if no answer arrives in time.
   */
  async request<Request, Response>(
    contract: RpcContract<Request, Response>,
    request: NoInfer<Request>,
  ): Promise<Response> {
    const startedAtMs = performance.now();
    const { subject } = contract;
    try {
      const answer = await inSpan(subject, CLIENT_SPAN, () => this.sendRequest(contract, request));
      this.meter.answered(subject, 'ok', secondsSince(startedAtMs));
      return answer as Response;
    } catch (error) {
      this.meter.answered(subject, outcomeOfError(error), secondsSince(startedAtMs));
      throw error;
    }
  }

  /**
   * Publishes a hint at the end of this turn of the event loop, once for any number of identical calls. A subscriber then reads
   * all pending work. The broker may lose a signal, so every subscriber also polls.
   */
  signal<Payload>({ subject }: SignalContract<Payload>, payload: NoInfer<Payload>): void {
    const payloadJson = JSON.stringify(payload);
    if (this.hints.size === 0) setImmediate(() => this.publishHints());
    this.hints.set(`${subject} ${payloadJson}`, { subject, payloadJson });
  }

  isConnected(): boolean {
    return isConnected(this.connection);
  }

  /** Makes a round trip to the broker: a broker that hangs still appears connected for some seconds. @throws if it is away */
  async pingBroker(): Promise<void> {
    if (!this.isConnected()) throw new Error('not connected');
    await this.connection.flush();
  }

  /** The number of rights that this process needs and the broker refuses; the log and a metric name them. */
  countRefusals(): number {
    return refusalsOf(this.connection).list().length;
  }

  /** Whether the client has closed for good. A lost connection is restored; a closed one never is. */
  isClosed(): boolean {
    return this.connection.isClosed();
  }

  /** Not async: the promise of the answer is returned as it is, because each further promise adds cost to every request. */
  private sendRequest<Request>(
    { subject, timeoutMs, batching }: RpcContract<Request, unknown>,
    request: Request,
  ): Promise<unknown> {
    const availableMs = Math.min(timeoutMs, remainingMs() ?? timeoutMs);
    if (!this.isConnected()) throw this.unanswered(subject, 'the broker is away');
    if (batching) return this.batchSender.enqueue(subject, batching, request, availableMs);
    return this.send(subject, JSON.stringify(request), availableMs, currentCaller()).then(unwrapReply);
  }

  private async send(subject: string, requestJson: string, timeoutMs: number, caller: Caller): Promise<unknown> {
    const data = encodeText(requestJson);
    try {
      const headers = toHeaders(caller, timeoutMs);
      return decode((await this.answerTo(subject, data, { timeout: timeoutMs, headers })).data);
    } catch (error) {
      if (isTooLarge(error)) {
        const max_bytes = this.connection.info?.max_payload;
        this.logger.error({ subject, bytes: data.length, max_bytes }, 'bus_request_too_large');
        throw ApiError.internal();
      }
      throw this.unanswered(subject, error instanceof Error ? error.message : String(error));
    }
  }

  private answerTo(subject: string, data: Uint8Array, options: RequestOptions): Promise<Msg> {
    return new Promise((resolve, reject) => {
      const forget = lostAnswersOf(this.connection).watch(subject, () => reject(new Error(CONNECTION_LOST)));
      this.connection.request(subject, data, options).then(resolve, reject).finally(forget);
    });
  }

  private publishHints(): void {
    const hints = [...this.hints.values()];
    this.hints.clear();
    if (!this.isConnected()) return;
    for (const { subject, payloadJson } of hints) this.connection.publish(subject, encodeText(payloadJson));
  }

  private unanswered(subject: string, reason: string): UnansweredError {
    this.logger.warn({ subject, reason }, 'bus_request_unanswered');
    return new UnansweredError();
  }
}

function secondsSince(startedAtMs: number): number {
  return (performance.now() - startedAtMs) / 1_000;
}

const SILENT: BusLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * A bus for programs that are no services, such as the operator's CLI. Rejects if the broker cannot be reached. Their requests have
 * ended when they close it, so it drains nothing: that would wait for a broker that is away, and reconnect for ever.
 */
export async function connectBus(
  url: string,
  name: string,
  tlsFiles: NatsTlsFiles = {},
): Promise<{ bus: Bus; close: () => Promise<void> }> {
  const connection = await connectNats({ url, name, logger: SILENT, tlsFiles, failFast: true });
  return { bus: new Bus(connection, SILENT), close: () => connection.close() };
}
