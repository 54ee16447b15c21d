import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, WakeUp, type WorkLoop } from '@kinora/service-kit';
import type { WokenLoop } from '../attempt/woken-loop';
import { CreatedJobs } from '../queue/created-jobs';
import { DispatchCreated } from '../use-cases/dispatch-jobs/dispatch-created.use-case';
import { DispatchJobs } from '../use-cases/dispatch-jobs/dispatch-jobs.use-case';
import { runnerLoop } from './runner-loop';

/**
 * The loops that send jobs to providers: one for jobs that this process has just created, one for rounds over all waiting jobs.
 */
@Injectable()
export class DispatchLoops {
  constructor(
    private readonly createdJobs: CreatedJobs,
    private readonly dispatchCreated: DispatchCreated,
    private readonly dispatchJobs: DispatchJobs,
    private readonly wakeUp: WakeUp<WokenLoop>,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @param onAccepted called with each provider that has accepted a job. */
  list(onAccepted: (provider: string) => void): WorkLoop[] {
    const onSubmitted = (provider: string, isTaken: boolean): void => {
      if (!isTaken || this.dispatchJobs.needsSlot) rounds.nudge();
      if (isTaken) onAccepted(provider);
    };
    const rounds = runnerLoop('dispatch', () => this.dispatchJobs.execute(onSubmitted), this.logger);
    const sender = runnerLoop('dispatch_accepted', () => this.dispatchCreated.execute(onSubmitted), this.logger);
    this.wakeUp.subscribe('dispatch', () => rounds.nudge());
    this.createdJobs.onCreated(() => sender.nudge());
    return [rounds, sender];
  }
}
