import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, type WorkLoop } from '@kinora/service-kit';
import { AcceptedJobs } from '../queue/accepted-jobs';
import { WorkBell } from '../attempt/work-bell';
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
    private readonly bell: WorkBell,
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
    this.bell.onRing('dispatch', () => rounds.nudge());
    this.acceptedJobs.onAccepted(() => sender.nudge());
    return [rounds, sender];
  }
}
