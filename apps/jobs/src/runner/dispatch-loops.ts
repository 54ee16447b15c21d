import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, WakeUp, type WorkLoop } from '@kinora/service-kit';
import type { WokenLoop } from '../attempt/woken-loop';
import { AcceptedJobs } from '../queue/accepted-jobs';
import { DispatchAccepted } from '../use-cases/dispatch-jobs/dispatch-accepted.use-case';
import { DispatchJobs } from '../use-cases/dispatch-jobs/dispatch-jobs.use-case';
import { runnerLoop } from './runner-loop';

/** The loops that send jobs to providers: what this process has just accepted at once, and all that waits in rounds. */
@Injectable()
export class DispatchLoops {
  constructor(
    private readonly acceptedJobs: AcceptedJobs,
    private readonly dispatchAccepted: DispatchAccepted,
    private readonly dispatchJobs: DispatchJobs,
    private readonly wakeUp: WakeUp<WokenLoop>,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @param onTaken told of each provider that has taken a job. */
  list(onTaken: (provider: string) => void): WorkLoop[] {
    const onSubmitted = (provider: string, isTaken: boolean): void => {
      if (!isTaken || this.dispatchJobs.waitsForSlot) rounds.nudge();
      if (isTaken) onTaken(provider);
    };
    const rounds = runnerLoop('dispatch', () => this.dispatchJobs.execute(onSubmitted), this.logger);
    const sender = runnerLoop('dispatch_accepted', () => this.dispatchAccepted.execute(onSubmitted), this.logger);
    this.wakeUp.subscribe('dispatch', () => rounds.nudge());
    this.acceptedJobs.onAccepted(() => sender.nudge());
    return [rounds, sender];
  }
}
