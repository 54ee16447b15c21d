import { Module } from '@nestjs/common';
import { Backlog, BacklogRepository } from './backlog';
import { ModelCache } from './model-cache';
import { VideoScreening } from './video-screening';

const providers = [Backlog, BacklogRepository, ModelCache, VideoScreening];

/** What creations need to know of a model: its entry in the catalog, its queue, and whether its outputs can be screened. */
@Module({
  providers,
  exports: providers,
})
export class ModelModule {}
