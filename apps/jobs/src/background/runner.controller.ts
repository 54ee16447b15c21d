import { Controller } from '@nestjs/common';
import { OnSignal } from '@kinora/bus';
import { jobsSignals } from '@kinora/contracts/jobs/jobs.events';
import { WakeUp } from '@kinora/service-kit';
import type { WokenLoop } from '../attempt/progress-recorder';

/** Wakes the runner of this process when any process has queued a job. */
@Controller()
export class RunnerController {
  constructor(private readonly wakeUp: WakeUp<WokenLoop>) {}

  @OnSignal(jobsSignals.queued)
  wake(_signal: Record<string, never>): Promise<void> {
    this.wakeUp.notify('dispatch');
    return Promise.resolve();
  }
}
