import { Module } from '@nestjs/common';
import { InstanceRunRepository } from './instance-run.repository';
import { QueueHeadsRepository } from './queue-heads.repository';

/** What instances that load models have run, and the plan of what they run next. */
@Module({
  providers: [InstanceRunRepository, QueueHeadsRepository],
  exports: [InstanceRunRepository, QueueHeadsRepository],
})
export class SchedulingModule {}
