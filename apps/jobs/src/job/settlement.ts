import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { InjectLogger, type Logger, crashPoint } from '@kinora/service-kit';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { JobRepository } from './job.repository';
import type { JobRow } from './job.row';
import { StoredFiles } from '../output/stored-files';

/** Finishes what an ended job leaves behind: its hold, by a capture if and only if it succeeded, and the files that it does not keep. */
@Injectable()
export class Settlement {
  constructor(
    private readonly bus: Bus,
    private readonly jobs: JobRepository,
    private readonly files: StoredFiles,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Resolves when the hold is ended; the files follow by themselves, so that nobody who cancels a job waits for a store.
   * Safe to repeat: billing knows a job's hold by the job's id and ends it once.
   * @throws ApiError capacity when billing could not be asked.
   */
  async settle(job: JobRow): Promise<void> {
    void this.finish(job, await this.begin(job));
  }

  /** The same, and waits for the files too. */
  async settleFully(job: JobRow): Promise<void> {
    await this.finish(job, await this.begin(job));
  }

  /** The files do not wait for the hold: what was blocked is not kept for as long as billing is away. */
  private async begin(job: JobRow): Promise<{ cleared: Promise<void> }> {
    if (job.settled_at) return { cleared: Promise.resolve() };
    const cleared = this.files.clearAwayAfter(job);
    cleared.catch(() => undefined);
    await this.endHold(job);
    crashPoint('jobs.end.hold_ended');
    return { cleared };
  }

  /** The job counts as settled only when its files are gone too, so that a sweeper comes back for them until they are. */
  private async finish(job: JobRow, { cleared }: { cleared: Promise<void> }): Promise<void> {
    if (job.settled_at) return;
    try {
      await cleared;
      await this.jobs.markSettled(job.id);
      crashPoint('jobs.end.settled');
    } catch (error) {
      this.logger.warn({ job_id: job.id, reason: String(error) }, 'job_settlement_unfinished');
    }
  }

  private async endHold(job: JobRow): Promise<void> {
    const [contract, expected] =
      job.status === 'succeeded' ? [billingRpc.capture, 'captured'] : [billingRpc.refund, 'refunded'];
    const { state } = await this.bus.request(contract, { job_id: job.id });
    // Cannot be, by the rules of both contexts; if it is, a person must know.
    if (state !== expected) this.logger.error({ job_id: job.id, status: job.status, state }, 'job_and_hold_disagree');
  }
}
