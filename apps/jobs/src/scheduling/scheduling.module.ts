import { Module } from '@nestjs/common';
import { InstanceRunRepository } from './instance-run.repository';
import { InstanceHoursRepository } from './instance-hours.repository';
import { QueueHeadsRepository } from './queue-heads.repository';

/** What instances that load models have run, and the plan of what they run next. */
@Module({
  providers: [InstanceHoursRepository, InstanceRunRepository, QueueHeadsRepository],
  exports: [InstanceHoursRepository, InstanceRunRepository, QueueHeadsRepository],
})
export class SchedulingModule {}
