import { Module } from '@nestjs/common';
import { AccountWatch, FeedStreams } from './event-feed/feed-streams';
import { EventStreams } from './event-stream/event-streams';
import { AdmissionModule } from './http/admission.module';
import { FollowJob } from './job-watch/follow-job.use-case';
import { JobWaits } from './job-watch/job-waits';
import { JobWatch, SharedReads } from './job-watch/job-watch';

/** Requests that stay open: they wait for the end of a job, or stream events. */
@Module({
  imports: [AdmissionModule],
  providers: [JobWatch, SharedReads, JobWaits, FollowJob, EventStreams, AccountWatch, FeedStreams],
  exports: [JobWatch, SharedReads, JobWaits, FollowJob, AccountWatch, FeedStreams],
})
export class HeldRequestsModule {}
