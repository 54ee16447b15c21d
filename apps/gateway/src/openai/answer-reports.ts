import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Bus, deadlineIn, runInCall } from '@kinora/bus';
import { REPORTED_ANSWERS_MAX, unansweredRequestsRpc } from '@kinora/contracts/jobs/unanswered-requests.rpc';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { newRequestId } from '../http/request-id';

/** `failed`: the answer told that the job has ended without a result. */
export type AnswerOutcome = 'answered' | 'failed' | 'unanswered';

/** A third of the lease that a report renews (jobs: unanswered requests). */
const REPORT_EVERY_MS = 1_000;
/** While jobs does not answer, reports wait. A request whose report is dropped counts as held until this process ends. */
const WAITING_MAX = 10_000;

/**
 * Reports to jobs which held requests were answered and which were not, in micro-batches. While requests are held, a report a
 * second renews the lease of this process.
 */
@Injectable()
export class AnswerReports implements OnApplicationShutdown {
  /** This process, as the holder of requests. */
  readonly holderId = randomUUID();
  private readonly held = new Set<string>();
  /** Of clients that left without an answer, until jobs has stored the report. */
  private readonly unstored = new Set<string>();
  private waiting: { token: string; outcome: AnswerOutcome }[] = [];
  private sending: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private renewedAtMs = -Infinity;

  constructor(
    private readonly bus: Bus,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Resolves when the lease of this process is valid, and jobs knows which clients have left: this request may repeat one of theirs.
   * @throws ApiError capacity
   */
  async hold(token: string): Promise<void> {
    this.held.add(token);
    this.startTimer();
    if (this.unstored.size > 0) await this.send();
    if (performance.now() - this.renewedAtMs > 2 * REPORT_EVERY_MS) await this.renew();
  }

  end(token: string, outcome: AnswerOutcome): void {
    this.held.delete(token);
    if (this.waiting.length < WAITING_MAX) {
      this.waiting.push({ token, outcome });
      if (outcome === 'unanswered') this.unstored.add(token);
    }
    // A client may reset its connection when nothing is held any more. The timer repeats a report that fails.
    this.startTimer();
    setImmediate(() => void this.send());
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.sending;
    await this.send();
  }

  /** A request that cannot be stored as held must not create a job, so this failure reaches the client. */
  private async renew(): Promise<void> {
    await this.sending;
    if (performance.now() - this.renewedAtMs > 2 * REPORT_EVERY_MS) await this.report([]);
  }

  private send(): Promise<void> {
    this.sending ??= this.sendAll().finally(() => (this.sending = null));
    return this.sending;
  }

  private async sendAll(): Promise<void> {
    do {
      const reported = this.waiting.splice(0, REPORTED_ANSWERS_MAX);
      if (reported.length === 0 && this.held.size === 0) return this.rest();
      try {
        await this.report(reported);
      } catch (error) {
        this.waiting.unshift(...reported);
        this.logger.warn({ requests: reported.length, reason: String(error) }, 'answers_not_reported');
        return;
      }
    } while (this.waiting.length > 0);
  }

  private async report(reported: { token: string; outcome: AnswerOutcome }[]): Promise<void> {
    const tokensOf = (...outcomes: AnswerOutcome[]): string[] =>
      reported.filter(({ outcome }) => outcomes.includes(outcome)).map(({ token }) => token);
    const report = {
      holder_id: this.holderId,
      answered: tokensOf('answered', 'failed'),
      failed: tokensOf('failed'),
      unanswered: tokensOf('unanswered'),
    };
    const sentAtMs = performance.now();
    const call = { requestId: newRequestId(), deadlineAtMs: deadlineIn(unansweredRequestsRpc.report.timeoutMs) };
    await runInCall(call, () => this.bus.request(unansweredRequestsRpc.report, report));
    this.renewedAtMs = sentAtMs;
    for (const token of report.unanswered) this.unstored.delete(token);
  }

  private startTimer(): void {
    this.timer ??= setInterval(() => void this.send(), REPORT_EVERY_MS).unref();
  }

  private rest(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }
}
