import { Module } from '@nestjs/common';
import { InstanceRunRepository } from './instance-run.repository';

/** What instances that load models have run, and the plan of what they run next. */
@Module({
  providers: [InstanceRunRepository],
  exports: [InstanceRunRepository],
})
export class SchedulingModule {}
