import { Module } from '@nestjs/common';
import { OfferedModels } from '../catalog/offered-models';
import { HeldRequestsModule } from '../held-requests.module';
import { CreationsModule } from '../jobs/creations.module';
import { CreateOpenAiImages } from './create-openai-images.use-case';
import { OpenAiNames } from './openai-models';
import { UnkeyedRequests } from './unkeyed-requests';
import { CreateOpenAiVideo, OpenAiVideos } from './videos/openai-videos';

@Module({
  imports: [CreationsModule, HeldRequestsModule],
  providers: [OfferedModels, OpenAiNames, UnkeyedRequests, CreateOpenAiImages, CreateOpenAiVideo, OpenAiVideos],
  exports: [OfferedModels, OpenAiNames, CreateOpenAiImages, CreateOpenAiVideo, OpenAiVideos],
})
export class OpenAiModule {}
