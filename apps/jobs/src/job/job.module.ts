import { Module } from '@nestjs/common';
import { JobChanges } from './job-changes';
import { JobInsertRepository } from './job-insert.repository';
import { AttemptMonths, JobMonths } from './job-months';
import { JobRepository } from './job.repository';
import { JobPresenter } from './job.view';

const providers = [JobRepository, JobInsertRepository, JobPresenter, JobChanges, JobMonths, AttemptMonths];

/** Jobs: their rows, their form for clients, and the signal of their changes. */
@Module({
  providers,
  exports: providers,
})
export class JobModule {}
