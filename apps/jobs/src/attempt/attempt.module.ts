import { Module } from '@nestjs/common';
import { WakeUp } from '@kinora/service-kit';
import { JobModule } from '../job/job.module';
import { AttemptCancelRepository } from './attempt-cancel.repository';
import { AttemptLeases } from './attempt-leases';
import { AttemptPollRepository } from './attempt-poll.repository';
import { AttemptRepository } from './attempt.repository';
import { ProgressRecorder } from './progress-recorder';
import { OutputSpool, StoredFiles } from './stored-files';

const providers = [
  WakeUp,
  AttemptRepository,
  AttemptPollRepository,
  AttemptCancelRepository,
  AttemptLeases,
  ProgressRecorder,
  OutputSpool,
  StoredFiles,
];

/** The runs of jobs at providers: their rows, their leases, and their files. */
@Module({
  imports: [JobModule],
  providers,
  exports: providers,
})
export class AttemptModule {}
