import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { InjectLogger, type Logger, crashPoint } from '@kinora/service-kit';
import { moderationRpc } from '@kinora/contracts/moderation/moderation.rpc';
import { AttemptLease } from '../../attempt/attempt-lease';
import { AttemptRepository } from '../../attempt/attempt.repository';
import type { AttemptRow } from '../../attempt/attempt.row';
import { toUpstreamTask } from '../../attempt/upstream-task';
import { JobEnding } from '../../job/job-ending';
import { JobRepository } from '../../job/job.repository';
import type { JobEnd, JobRow, StoredOutput } from '../../job/job.row';
import type { ComputeProvider } from '../../providers/compute-provider.port';
import { type CollectionProblem, toCollectionProblem } from './collection-problem';
import { OutputIntake } from './output-intake';

const RETRY_MS = 1_500;

/** Brings home what providers made: fetched, bounded, re-encoded, stored, judged; only then is a job a success. */
@Injectable()
export class CollectOutputs {
  constructor(
    private readonly bus: Bus,
    private readonly attempts: AttemptRepository,
    private readonly jobs: JobRepository,
    private readonly ending: JobEnding,
    private readonly intake: OutputIntake,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Collects for one attempt that is ready, if there is one. */
  async execute(provider: ComputeProvider): Promise<{ more: boolean }> {
    const [ready] = await this.attempts.claimDue(provider.id, ['collecting'], 1);
    if (ready) await this.collectUnderLease(provider, ready);
    return { more: ready !== undefined };
  }

  private async collectUnderLease(provider: ComputeProvider, attempt: AttemptRow): Promise<void> {
    const lease = new AttemptLease(this.attempts, attempt);
    try {
      await this.collect(provider, attempt);
    } catch (error) {
      await this.overcome(attempt, toCollectionProblem(error));
    } finally {
      lease.release();
    }
  }

  private async collect(provider: ComputeProvider, attempt: AttemptRow): Promise<void> {
    const [job, status] = await Promise.all([
      this.jobs.find(attempt.job_id),
      provider.statuses([toUpstreamTask(attempt)]).then((statuses) => statuses.get(attempt.upstream_id)),
    ]);
    if (!job) return;
    if (status?.state !== 'succeeded') {
      // No longer what it was when its outputs were announced: back to those who follow attempts.
      await this.putBack(attempt, 'accepted', { problem: null, delay_ms: 0 });
      return;
    }
    const outputs = await this.intake.take(provider, attempt, job, status.outputs);
    crashPoint('jobs.end.outputs_stored');
    const ended = await this.judgeAndEnd(attempt, job, outputs, status.gpuMs);
    // The backend may forget them; unless the job is somebody else's by now, who may still be fetching.
    if (ended) void provider.cancel(toUpstreamTask(attempt));
    else await this.intake.discard(outputs);
  }

  /** False when the job ended otherwise, or changed hands, meanwhile: then the outputs are nobody's. */
  private async judgeAndEnd(
    attempt: AttemptRow,
    job: JobRow,
    output: StoredOutput[],
    gpuMs: number | null,
  ): Promise<boolean> {
    const { verdict, decision_id: output_decision_id } = await this.screen(job, output);
    crashPoint('jobs.end.outputs_screened');
    // What is blocked is gone before anybody hears of it: a crash in between only leads to the same verdict again.
    if (verdict === 'blocked') await this.intake.discard(output);
    const end: JobEnd =
      verdict === 'blocked'
        ? { status: 'failed', error_code: 'content_blocked_output', gpu_ms: gpuMs }
        : { status: 'succeeded', output, output_decision_id, gpu_ms: gpuMs };
    return (await this.ending.endByAttempt(attempt, end, 'succeeded')) !== null;
  }

  private async screen(
    job: JobRow,
    outputs: StoredOutput[],
  ): Promise<{ decision_id: string; verdict: 'passed' | 'blocked' }> {
    try {
      return await this.bus.request(moderationRpc.screenOutput, {
        account_id: job.account_id,
        job_id: job.id,
        object_keys: outputs.map(({ object_key }) => object_key),
      });
    } catch (error) {
      // A gate that cannot answer has not passed: nothing stays, and the deadline bounds how often we come back.
      await this.intake.discard(outputs);
      throw error;
    }
  }

  private async overcome(attempt: AttemptRow, { error, code, isFinal }: CollectionProblem): Promise<void> {
    this.logger.warn({ job_id: attempt.job_id, code, final: isFinal, reason: String(error) }, 'outputs_not_collected');
    if (isFinal)
      await this.ending.endByAttempt(attempt, { status: 'failed', error_code: code, gpu_ms: null }, 'failed');
    else await this.putBack(attempt, 'collecting', { problem: code, delay_ms: RETRY_MS });
  }

  private async putBack(
    { job_id, number, fence }: AttemptRow,
    state: 'accepted' | 'collecting',
    { problem, delay_ms: next_check_in_ms }: { problem: CollectionProblem['code'] | null; delay_ms: number },
  ): Promise<void> {
    await this.attempts.recordProgress([{ job_id, number, fence, state, problem, next_check_in_ms }]);
  }
}
