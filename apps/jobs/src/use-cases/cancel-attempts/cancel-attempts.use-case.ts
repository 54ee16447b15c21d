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
 * Stops what providers still do for ended attempts, and lets them forget it: tried until it is known how it went. What
 * they have made by then is never fetched; the GPU time that it took is written down.
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
    // Not before its time is written down: it cannot be read again afterwards.
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

  /** An instance that the operator has taken away may come back, so it counts as one that does not answer. */
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
