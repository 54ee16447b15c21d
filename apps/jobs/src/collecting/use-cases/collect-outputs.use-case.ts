import { Injectable } from '@nestjs/common';
import type { ComputeProvider } from '@kinora/compute';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { type SpanShape, inTrace } from '@kinora/tracing';
import { AttemptLeases } from '../../attempt/attempt-leases';
import { AttemptPollRepository } from '../../attempt/attempt-poll.repository';
import { AttemptRepository } from '../../attempt/attempt.repository';
import type { AttemptRow } from '../../attempt/attempt.row';
import { JobEnding } from '../../ending/job-ending';
import { type CollectionProblem, toCollectionProblem } from '../collection-problem';
import { OutputCollection } from '../output-collection';

const RETRY_MS = 1_500;

const COLLECTING: SpanShape = { kind: 'internal' };

/** Collects the outputs of providers: fetches, checks, labels, stores and screens them. Only then does a job succeed. */
@Injectable()
export class CollectOutputs {
  constructor(
    private readonly attempts: AttemptRepository,
    private readonly polls: AttemptPollRepository,
    private readonly leases: AttemptLeases,
    private readonly ending: JobEnding,
    private readonly collection: OutputCollection,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Collects the outputs of one attempt that is ready, if there is one. */
  async execute(provider: ComputeProvider): Promise<{ more: boolean }> {
    const ready = await this.attempts.claimReady(provider.id);
    if (ready) await this.collect(provider, ready);
    return { more: ready !== null };
  }

  private collect(provider: ComputeProvider, attempt: AttemptRow): Promise<void> {
    return inTrace(attempt.traceparent, 'collect_outputs', COLLECTING, (span) => {
      span.set({ 'kinora.job_id': attempt.job_id, 'kinora.provider': provider.id });
      return this.collectUnderLease(provider, attempt);
    });
  }

  private async collectUnderLease(provider: ComputeProvider, attempt: AttemptRow): Promise<void> {
    const lease = this.leases.hold(attempt);
    let gpuMs: number | null = null;
    try {
      const made = await this.collection.find(provider, attempt);
      gpuMs = made?.gpuMs ?? null;
      if (made) await this.collection.fetchAndStore(provider, attempt, made);
      // Outputs that no longer exist put the attempt back to polling.
      else await this.reschedule(attempt, 'accepted', { problem: null, delay_ms: 0 });
    } catch (error) {
      await this.handleProblem(attempt, toCollectionProblem(error), gpuMs);
    } finally {
      lease.release();
    }
  }

  private async handleProblem(
    attempt: AttemptRow,
    { error, code, isFinal, reason }: CollectionProblem,
    gpuMs: number | null,
  ): Promise<void> {
    const { job_id, number, provider } = attempt;
    const received = { job_id, attempt: number, provider, code, final: isFinal, reason: String(error) };
    this.logger.warn(received, 'outputs_not_collected');
    const end = { status: 'failed', error_code: code, gpu_ms: gpuMs } as const;
    if (isFinal) await this.ending.endByAttempt(attempt, end, { outcome: 'failed', reason });
    else await this.reschedule(attempt, 'collecting', { problem: code, delay_ms: RETRY_MS, reason });
  }

  private async reschedule(
    { job_id, number, fence }: AttemptRow,
    state: 'accepted' | 'collecting',
    {
      problem,
      delay_ms: next_poll_in_ms,
      reason,
    }: { problem: CollectionProblem['code'] | null; delay_ms: number; reason?: string },
  ): Promise<void> {
    await this.polls.reschedule({ job_id, number, fence, state, problem, next_poll_in_ms, reason });
  }
}
