import { Injectable } from '@nestjs/common';
import { Bus, withinMs } from '@kinora/bus';
import { ObjectStore } from '@kinora/object-store';
import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { PassedContent } from '@kinora/contracts/moderation/decision';
import { SCREEN_TEXT_TIMEOUT_MS, moderationRpc } from '@kinora/contracts/moderation/moderation.rpc';
import type { NewJob } from '../../job/job.entity';
import { FundsCheck } from '../../model/funds-check';
import { imagesOf } from './new-job';
import { screenedContent } from './screened-content';

/** Screens the texts and images of a request, and deletes its images if no job will refer to them. */
@Injectable()
export class InputScreening {
  constructor(
    private readonly bus: Bus,
    private readonly funds: FundsCheck,
    private readonly objects: ObjectStore,
  ) {}

  /**
   * Checks balance and job slots before the images are screened, because screening is expensive.
   * @param serverRun the run of the server that will store the job.
   * @throws ApiError
   */
  async screen(request: CreateJobRequest, job: NewJob, serverRun: string): Promise<PassedContent> {
    const { account_id } = request;
    const content = { account_id, job_id: job.id, ...screenedContent(request), server_run: serverRun };
    if (content.images.length === 0)
      return withinMs(SCREEN_TEXT_TIMEOUT_MS, () => this.bus.request(moderationRpc.screenInput, content));
    await this.funds.assertReservable({ ...request, amount_micros: job.price_micros });
    return this.bus.request(moderationRpc.screenInput, content);
  }

  /**
   * Deletes the images of a request that stores no job; a repeated request uploads its images again. A file that cannot be
   * deleted takes space until the sweep of orphan files.
   */
  async discardImages(request: CreateJobRequest): Promise<void> {
    await Promise.allSettled(imagesOf(request).map(({ object_key }) => this.objects.delete(object_key)));
  }
}
