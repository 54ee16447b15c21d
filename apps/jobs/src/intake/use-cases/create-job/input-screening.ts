import { Injectable } from '@nestjs/common';
import { type Answered, Bus, type Caller } from '@kinora/bus';
import { ObjectStore } from '@kinora/object-store';
import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { PassedContent } from '@kinora/contracts/moderation/decision';
import { SCREEN_TEXT_TIMEOUT_MS, moderationRpc } from '@kinora/contracts/moderation/moderation.rpc';
import type { NewJob } from '../../../job/job.entity';
import { FundsCheck } from '../../funds-check';
import { imagesOf } from '../../new-job';
import { screenedContent } from './screened-content';

/** Screens the texts and images of a request, and deletes its images if no job will refer to them. */
@Injectable()
export class InputScreening {
  constructor(
    private readonly bus: Bus,
    private readonly funds: FundsCheck,
    private readonly objects: ObjectStore,
  ) {}

  /** Checks balance and job slots before images are screened, because their screening is expensive. @throws ApiError */
  async assertReservable(request: CreateJobRequest, { price_micros }: NewJob): Promise<void> {
    if (imagesOf(request).length > 0) await this.funds.assertReservable({ ...request, amount_micros: price_micros });
  }

  /**
   * Screens the inputs of a batch. `onScreened` receives the creates that moderation has answered together, so that one that an
   * external engine judges slowly delays no other.
   */
  screen<Create extends { caller: Caller; call: { request: CreateJobRequest }; job: NewJob; serverRun: string }>(
    creates: Create[],
    onScreened: (screened: Answered<Create, PassedContent>[]) => Promise<void>,
  ): Promise<void> {
    const hasImages = creates.some(({ call }) => imagesOf(call.request).length > 0);
    return this.bus.requestBatch(moderationRpc.screenInput, creates, {
      toRequest: ({ call: { request }, job, serverRun }) => ({
        account_id: request.account_id,
        job_id: job.id,
        ...screenedContent(request),
        server_run: serverRun,
      }),
      ...(!hasImages && { withinMs: SCREEN_TEXT_TIMEOUT_MS }),
      onAnswers: onScreened,
    });
  }

  /**
   * Deletes the images of a request that stores no job; a repeated request uploads its images again. A file that cannot be
   * deleted takes space until the sweep of orphan files.
   */
  async discardImages(request: CreateJobRequest): Promise<void> {
    await Promise.allSettled(imagesOf(request).map(({ object_key }) => this.objects.delete(object_key)));
  }
}
