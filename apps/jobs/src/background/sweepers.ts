import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { EndHolds } from '../use-cases/end-holds/end-holds.use-case';
import { EndOverdueJobs } from '../use-cases/end-overdue-jobs/end-overdue-jobs.use-case';
import { ReleaseOrphanHolds } from '../use-cases/release-orphan-holds/release-orphan-holds.use-case';
import { CountSweeps } from './count-sweeps';
import { PruneSweeps } from './prune-sweeps';
import { StoreSweeps } from './store-sweeps';
import type { Sweep } from './sweep';

const SECOND_MS = 1_000;

/** The sweeps that repair lost messages and dead processes: each queries PostgreSQL for work that is overdue. */
@Injectable()
export class Sweepers {
  constructor(
    private readonly endOverdueJobs: EndOverdueJobs,
    private readonly endHolds: EndHolds,
    private readonly releaseOrphanHolds: ReleaseOrphanHolds,
    private readonly storeSweeps: StoreSweeps,
    private readonly countSweeps: CountSweeps,
    private readonly pruneSweeps: PruneSweeps,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  loops(): WorkLoop[] {
    const sweeps: Sweep[] = [
      { name: 'overdue_jobs', everyMs: SECOND_MS, work: () => this.endOverdueJobs.execute() },
      { name: 'holds_of_ended_jobs', everyMs: SECOND_MS, work: () => this.endHolds.execute() },
      { name: 'orphan_holds', everyMs: 15 * SECOND_MS, work: () => this.releaseOrphanHolds.execute() },
    ];
    const others = [this.countSweeps, this.pruneSweeps, this.storeSweeps].flatMap((group) => group.list());
    return [...sweeps, ...others].map((sweep) => this.loop(sweep));
  }

  private loop({ name, everyMs, work }: Sweep): WorkLoop {
    return new WorkLoop({
      work: async () => ((await work()).more ? 'more' : 'idle'),
      idleMs: everyMs,
      onFailure: (error) => this.logger.warn({ sweeper: name, reason: String(error) }, 'sweep_interrupted'),
    });
  }
}
