import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { ComputeProvider, UpstreamStatus } from '@kinora/compute';
import { crashPoint } from '@kinora/service-kit';
import { type OutputVerdict, moderationRpc } from '@kinora/contracts/moderation/moderation.rpc';
import { type AttemptRow, toUpstreamTask } from '../attempt/attempt.row';
import { OutputSpool } from '../attempt/stored-files';
import { JobEnding } from '../ending/job-ending';
import { JobRepository } from '../job/job.repository';
import type { JobRow, StoredOutput } from '../job/job.entity';
import { blockedOutputMessage, type JobEnd } from '../job/job-status';
import { attemptsEnded } from '../jobs.metrics';
import { OutputIntake } from './output-intake';

type Made = Extract<UpstreamStatus, { state: 'succeeded' }>;

/** Fetches, stores and screens the outputs of one attempt. */
@Injectable()
export class OutputCollection {
  constructor(
    private readonly bus: Bus,
    private readonly jobs: JobRepository,
    private readonly ending: JobEnding,
    private readonly intake: OutputIntake,
    private readonly spool: OutputSpool,
  ) {}

  /** Null if the attempt is no longer in the state in which its outputs were announced. */
  async find(provider: ComputeProvider, attempt: AttemptRow): Promise<Made | null> {
    const status = await this.statusOf(provider, attempt);
    return status?.state === 'succeeded' ? status : null;
  }

  async fetchAndStore(provider: ComputeProvider, attempt: AttemptRow, made: Made): Promise<void> {
    const job = await this.jobs.find(attempt.job_id);
    if (!job) return;
    const outputs = await this.intake.take(provider, attempt, job, made.outputs);
    crashPoint('jobs.end.outputs_stored');
    if (!(await this.screenAndEnd(attempt, job, outputs, made.gpuMs))) await this.intake.discard(outputs);
  }

  private async statusOf(provider: ComputeProvider, attempt: AttemptRow): Promise<UpstreamStatus | undefined> {
    if (attempt.spooled) return this.spool.read(attempt.spooled);
    return (await provider.statuses([toUpstreamTask(attempt)])).get(attempt.upstream_id);
  }

  /** False if the job has ended otherwise, or another process has claimed the attempt: the caller then deletes the outputs. */
  private async screenAndEnd(
    attempt: AttemptRow,
    job: JobRow,
    output: StoredOutput[],
    gpuMs: number | null,
  ): Promise<boolean> {
    const screened = await this.screen(job, output);
    crashPoint('jobs.end.outputs_screened');
    // Blocked files are deleted before the end is published. After a crash in between, the repeated screening has the same
    // verdict.
    if (screened.verdict !== 'passed') await this.intake.discard(output);
    const ended = await this.ending.endByAttempt(attempt, toEnd(screened, output, gpuMs), {
      outcome: 'succeeded',
      reason: screened.verdict === 'passed' ? null : `its outputs were screened as ${screened.verdict}`,
    });
    if (ended) attemptsEnded.inc({ provider: attempt.provider, outcome: 'succeeded' });
    return ended !== null;
  }

  private async screen(job: JobRow, outputs: StoredOutput[]): Promise<OutputVerdict> {
    try {
      const screened = await this.bus.request(moderationRpc.screenOutput, {
        account_id: job.account_id,
        job_id: job.id,
        model: job.model,
        object_keys: outputs.map(({ object_key }) => object_key),
      });
      if (!isStoredAsPassed(screened)) await this.intake.assertStored(outputs);
      return screened;
    } catch (error) {
      // Without a verdict no output stays in the store. The collection is repeated until the deadline.
      await this.intake.discard(outputs);
      throw error;
    }
  }
}

/**
 * Whether the outputs need not be read back. Blocked outputs are deleted. A success needs the hashes of what moderation has
 * read to equal those of the outputs, which the database compares (`job_is_of_what_passed`).
 */
function isStoredAsPassed(screened: OutputVerdict): boolean {
  return screened.verdict !== 'unreadable';
}

function toEnd(screened: OutputVerdict, output: StoredOutput[], gpu_ms: number | null): JobEnd {
  // The decisions name no other code for an output that cannot be decoded.
  if (screened.verdict === 'unreadable') return { status: 'failed', error_code: 'invalid_output', gpu_ms };
  if (screened.verdict === 'blocked') {
    const error_message = blockedOutputMessage(screened);
    return { status: 'failed', error_code: 'content_blocked_output', error_message, gpu_ms };
  }
  const { decision_id: output_decision_id, content_sha256 } = screened;
  return { status: 'succeeded', output, output_decision_id, passed_output_sha256: content_sha256, gpu_ms };
}
