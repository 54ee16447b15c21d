import { Module } from '@nestjs/common';
import { AttemptModule } from '../attempt/attempt.module';
import { EndingModule } from '../ending/ending.module';
import { JobModule } from '../job/job.module';
import { JobDeletion } from './job-deletion';
import { OrphanSweepRepository, StoredObjectRepository } from './orphan-sweep.repository';
import { DeleteContent } from './use-cases/delete-content.use-case';
import { DeleteOrphans } from './use-cases/delete-orphans.use-case';
import { DeleteOutputs } from './use-cases/delete-outputs.use-case';

const providers = [
  JobDeletion,
  OrphanSweepRepository,
  StoredObjectRepository,
  DeleteOutputs,
  DeleteContent,
  DeleteOrphans,
];

/** The deletion of outputs and content: by request, after the retention, and of files without a job. */
@Module({
  imports: [JobModule, AttemptModule, EndingModule],
  providers,
  exports: providers,
})
export class DeletionModule {}
