import { Injectable } from '@nestjs/common';
import { type ComputeProvider, ProviderRegistry } from '@kinora/compute';
import { InjectLogger, type Logger, crashPoint } from '@kinora/service-kit';
import { AttemptCancelRepository, type AttemptToCancel, CANCEL_PAGE } from '../../attempt/attempt-cancel.repository';
import { OutputSpool } from '../../output/output-spool';
import { toUpstreamTask } from '../../attempt/upstream-task';
import { sweepRows } from '../../job/sweep-rows';
import { meterCall } from '../../attempt/provider-meter';
import { type CancelTry, cancelResult } from './cancel-result';

/**
 * Cancels ended attempts at their providers, and deletes their tasks there. A cancel is repeated until its result is known. A
 * late output is never fetched, but its GPU time is recorded.
 */
@Injectable()
export class CancelAttempts {
  constructor(
    private readonly cancels: AttemptCancelRepository,
    private readonly providers: ProviderRegistry,
    private readonly spool: OutputSpool,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(): Promise<{ more: boolean }> {
    const due = (await this.cancels.claim()).map((attempt) => ({ ...attempt, id: attempt.job_id }));
    const tried = await sweepRows(due, this.logger, (attempt) => this.cancel(attempt));
    return { more: tried === CANCEL_PAGE };
  }

  private async cancel(attempt: AttemptToCancel): Promise<void> {
    const { job_id, number, outcome, cancel_tries: tries, spooled } = attempt;
    if (spooled) await this.spool.delete(spooled);
    const result = spooled
      ? { outcome: 'too_late' as const, gpuMs: spooled.gpu_ms }
      : cancelResult({ outcome, tries, ...(await this.tryAt(this.providers.find(attempt.provider), attempt)) });
    if (!result) return;
    await this.cancels.finish(attempt, result);
    // The GPU time is recorded first: it cannot be read after the task is deleted.
    await this.providers.find(attempt.provider)?.forget?.(toUpstreamTask(attempt));
    if (outcome === 'succeeded') return;
    const received = {
      job_id,
      attempt: number,
      provider: attempt.provider,
      outcome: result.outcome,
      gpu_ms: result.gpuMs,
    };
    this.logger.info(received, 'attempt_canceled');
  }

  /** An instance that was removed from the configuration may come back, so it counts as unreachable. */
  private async tryAt(
    provider: ComputeProvider | null,
    attempt: AttemptToCancel,
  ): Promise<Pick<CancelTry, 'answer' | 'status'>> {
    if (!provider) return { answer: 'unknown', status: null };
    const task = toUpstreamTask(attempt);
    const answer = await meterCall(
      provider,
      'cancel',
      () => provider.cancel(task),
      (outcome) => outcome,
    );
    crashPoint('jobs.cancel.answered');
    if (attempt.outcome === 'succeeded') return { answer, status: null };
    return { answer, status: (await provider.statuses([task])).get(task.id) ?? null };
  }
}
