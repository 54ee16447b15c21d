import { Injectable } from '@nestjs/common';
import { type CancelOutcome, type ComputeProvider, ProviderRegistry, type UpstreamStatus } from '@kinora/compute';
import { crashPoint, InjectLogger, type Logger } from '@kinora/service-kit';
import { AttemptCancelRepository, type AttemptToCancel } from '../../attempt/attempt-cancel.repository';
import { type AttemptOutcome, type CancelResult, toUpstreamTask } from '../../attempt/attempt.row';
import { OutputSpool } from '../../attempt/stored-files';
import { sweepRows } from '../../job/sweep';
import { meterCall } from '../../attempt/provider-meter';

/** About a quarter of an hour, at the intervals of the tries. */
const MAX_TRIES = 12;
/** Some seconds: an aborted submission may still be on its way to the backend, which does not know the task yet. */
const TRIES_UNTIL_ABSENT = 3;

export interface CancelTry {
  outcome: AttemptOutcome;
  /** Including this one. */
  tries: number;
  answer: CancelOutcome;
  /** The state of the task after the try. Null if it was not polled, because the outputs are already spooled. */
  status: UpstreamStatus | null;
}

/** Decides whether a cancel is over, and with which result. Null: it has to be repeated. */
export function cancelResult({ outcome, tries, answer, status }: CancelTry): CancelResult | null {
  const result = outcome === 'succeeded' ? resultOf(answer) : resultOfStatus({ answer, status, tries });
  return result ?? (tries >= MAX_TRIES ? { outcome: 'gave_up', gpuMs: null } : null);
}

function resultOf(answer: CancelOutcome): CancelResult | null {
  return answer === 'unknown' ? null : { outcome: answer, gpuMs: null };
}

function resultOfStatus({
  answer,
  status,
  tries,
}: Pick<CancelTry, 'answer' | 'status' | 'tries'>): CancelResult | null {
  switch (status?.state) {
    case 'succeeded':
      return { outcome: 'too_late', gpuMs: status.gpuMs };
    case 'failed':
    case 'canceled':
      return { outcome: 'stopped', gpuMs: status.gpuMs };
    case 'queued':
    case 'running':
      // The task still runs, although the backend has accepted the cancel: it is polled until it has stopped.
      return null;
    case 'not_found':
      return tries < TRIES_UNTIL_ABSENT ? null : (resultOf(answer) ?? { outcome: 'stopped', gpuMs: null });
    case 'unreachable':
    case undefined:
      return resultOf(answer);
  }
}

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
    return await sweepRows(due, this.logger, (attempt) => this.cancel(attempt));
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
    const received = { outcome: result.outcome, gpu_ms: result.gpuMs };
    this.logger.info({ job_id, attempt: number, provider: attempt.provider, ...received }, 'attempt_canceled');
  }

  /** An instance that was removed from the configuration may come back, so it counts as unreachable. */
  private async tryAt(
    provider: ComputeProvider | null,
    attempt: AttemptToCancel,
  ): Promise<Pick<CancelTry, 'answer' | 'status'>> {
    if (!provider) return { answer: 'unknown', status: null };
    const task = toUpstreamTask(attempt);
    const cancel = (): Promise<CancelOutcome> => provider.cancel(task);
    const answer = await meterCall(provider, 'cancel', cancel, (outcome) => outcome);
    crashPoint('jobs.cancel.answered');
    if (attempt.outcome === 'succeeded') return { answer, status: null };
    return { answer, status: (await provider.statuses([task])).get(task.id) ?? null };
  }
}
