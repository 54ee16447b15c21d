import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { InjectLogger, type Logger, crashPoint } from '@kinora/service-kit';
import { type SpanShape, inTrace } from '@kinora/tracing';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { StoredFiles } from '../attempt/stored-files';
import { EndedJobRepository } from './ended-job.repository';
import type { JobRow } from '../job/job.entity';
import { sweepRows } from '../job/sweep';

const SETTLING: SpanShape = { kind: 'internal' };

/**
 * Settles an ended job: captures its hold if and only if it succeeded, otherwise refunds it, and deletes the files that the job
 * does not keep.
 */
@Injectable()
export class Settlement {
  constructor(
    private readonly bus: Bus,
    private readonly endedJobs: EndedJobRepository,
    private readonly files: StoredFiles,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Resolves when the hold has ended. The deletion of files runs beside it, so a cancel does not wait for the store, blocked
   * files do not stay while billing is down, and no refund waits for the store. Safe to repeat: billing identifies a hold by
   * the job's id and ends it once.
   * @throws ApiError capacity if billing does not answer.
   */
  async settle(job: JobRow): Promise<void> {
    if (job.settled_at) return;
    await inTrace(job.traceparent, 'settle_job', SETTLING, async () => {
      const cleared = this.files.clearAwayAfter(job);
      const ended = this.endHold(job);
      void this.record(job, ended, cleared);
      await ended;
    });
  }

  /** Repeats captures and refunds until billing acknowledges them. */
  async endHolds(): Promise<{ more: boolean }> {
    return await sweepRows(await this.endedJobs.claimUnendedHolds(), this.logger, async (job) => {
      await this.endHold(job);
      await this.endedJobs.markHoldEnded(job.id);
    });
  }

  /** Repeats the deletion of files that an ended job does not keep, until it succeeds. */
  async clearFiles(): Promise<{ more: boolean }> {
    return await sweepRows(await this.endedJobs.claimUnclearedFiles(), this.logger, async (job) => {
      await this.files.clearAwayAfter(job);
      await this.endedJobs.markFilesCleared(job.id);
    });
  }

  /** `endHolds` and `clearFiles` repeat what has failed, or what could not be recorded. */
  private async record(job: JobRow, ended: Promise<void>, cleared: Promise<void>): Promise<void> {
    const [hold, files] = await Promise.allSettled([ended, cleared]);
    if (files.status === 'rejected') this.warnUnfinished(job, files.reason);
    try {
      if (hold.status === 'rejected' && files.status === 'rejected') return;
      if (files.status === 'rejected') await this.endedJobs.markHoldEnded(job.id);
      else if (hold.status === 'rejected') await this.endedJobs.markFilesCleared(job.id);
      else await this.endedJobs.markSettled(job.id);
      crashPoint('jobs.end.settled');
    } catch (error) {
      this.warnUnfinished(job, error);
    }
  }

  private warnUnfinished(job: JobRow, reason: unknown): void {
    this.logger.warn({ job_id: job.id, reason: String(reason) }, 'job_settlement_unfinished');
  }

  private async endHold(job: JobRow): Promise<void> {
    const [contract, expected] =
      job.status === 'succeeded' ? [billingRpc.capture, 'captured'] : [billingRpc.refund, 'refunded'];
    const { state } = await this.bus.request(contract, { job_id: job.id });
    // The rules of both contexts exclude this. If it happens, the operator has to correct it by hand.
    if (state !== expected) this.logger.error({ job_id: job.id, status: job.status, state }, 'job_and_hold_disagree');
    crashPoint('jobs.end.hold_ended');
  }
}
