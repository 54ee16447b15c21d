import { Module } from '@nestjs/common';
import { AttemptModule } from '../attempt/attempt.module';
import { EndingModule } from '../ending/ending.module';
import { JobModule } from '../job/job.module';
import { OutputCollection } from './output-collection';
import { OutputIntake } from './output-intake';
import { CollectOutputs } from './use-cases/collect-outputs.use-case';

/** The outputs of attempts: fetched, checked, stored and screened. */
@Module({
  imports: [JobModule, AttemptModule, EndingModule],
  providers: [OutputIntake, OutputCollection, CollectOutputs],
  exports: [CollectOutputs],
})
export class CollectingModule {}
