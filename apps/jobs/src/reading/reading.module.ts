import { Module } from '@nestjs/common';
import { JobModule } from '../job/job.module';
import { PollingModule } from '../polling/polling.module';
import { GetUsage, ShowUsageDetails, VerifyUsage } from '../usage/use-cases/get-usage.query';
import { UsageRepository } from '../usage/usage.repository';
import { EventFeedRepository } from './event-feed.repository';
import { JobSearchRepository } from './job-search.repository';
import { GetJob, ListOutputFiles } from './use-cases/get-job.query';
import { ListEvents } from './use-cases/list-events.query';
import { ListEndedJobs, ListFinishedJobs } from './use-cases/list-finished-jobs.query';
import { ListJobs, ListVideos } from './use-cases/list-jobs.query';
import { SearchJobs } from './use-cases/search-jobs.query';
import { VideoListRepository } from './video-list.repository';

const providers = [
  VideoListRepository,
  EventFeedRepository,
  GetJob,
  ListOutputFiles,
  ListJobs,
  ListVideos,
  JobSearchRepository,
  SearchJobs,
  ListEndedJobs,
  ListFinishedJobs,
  ListEvents,
  UsageRepository,
  GetUsage,
  ShowUsageDetails,
  VerifyUsage,
];

/** Jobs as their accounts read them, the feeds of their ends, and their usage. */
@Module({
  imports: [JobModule, PollingModule],
  providers,
  exports: providers,
})
export class ReadingModule {}
