import { Injectable } from '@nestjs/common';
import { Bus, withinMs } from '@kinora/bus';
import { ObjectStore } from '@kinora/object-store';
import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { moderationRpc, type PassedContent, SCREEN_TEXT_TIMEOUT_MS } from '@kinora/contracts/moderation/moderation.rpc';
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

  /** @throws ApiError content_blocked_prompt, content_blocked_input, invalid_body, capacity */
  screen(request: CreateJobRequest, job_id: string): Promise<PassedContent> {
    const screen = (): Promise<PassedContent> =>
      this.bus.request(moderationRpc.screenInput, {
        account_id: request.account_id,
        job_id,
        ...screenedContent(request),
      });
    return imagesOf(request).length > 0 ? screen() : withinMs(SCREEN_TEXT_TIMEOUT_MS, screen);
  }

  /**
   * Deletes the images of a request that stores no job; a repeated request uploads its images again. A file that cannot be
   * deleted takes space until the sweep of orphan files.
   */
  async discardImages(request: CreateJobRequest): Promise<void> {
    await Promise.allSettled(imagesOf(request).map(({ object_key }) => this.objects.delete(object_key)));
  }
}
