import { Injectable } from '@nestjs/common';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { toTaskFacts } from '../../job/task-facts';
import { Router } from '../../routing/router';
import type { DraftJob } from './draft-job';

/** Whether any backend of a model can run a job. */
@Injectable()
export class RunnableCheck {
  constructor(
    private readonly router: Router,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * The decisions do not say what becomes of a request that no backend of the model can run exactly as it is, such as one
   * that would cut the prompt. It is refused like what else depends on the model, since retrying would not help.
   */
  assertRunnable(draft: DraftJob, { routes }: ResolvedModel): void {
    const obstacles = this.router.findObstacles(routes, toTaskFacts(draft, draft.id));
    if (!obstacles) return;
    this.logger.warn({ model: draft.model, routes, obstacles }, 'job_not_runnable');
    if (obstacles.length === 0) throw ApiError.unavailable('The model');
    throw new ApiError('invalid_body', `No backend of this model can run the request as it is: ${obstacles[0]}`);
  }
}
