import { Controller, Delete, Get, HttpCode, HttpStatus, Post, Query, Req, Res } from '@nestjs/common';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { VideoContentQuery } from '@kinora/contracts/jobs/video-content.query';
import { ObjectStore } from '@kinora/object-store';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { BODY_MAX_BYTES } from '../../body-limits';
import { sendFile } from '../../files/send-file';
import { AddressedId } from '../../http/addressed-id.decorator';
import { CurrentCaller, callerOf } from '../../http/caller.decorator';
import { readQueryAs } from '../../http/read-fields';
import { OPENAI_PATH } from '../openai-path';
import { OpenAiRoute, withoutApiVersion } from '../openai-route';
import { CreateOpenAiVideo } from './create-openai-video.use-case';
import { LIST_VIDEOS_PARAMS, toListVideosRequest } from './list-videos-request';
import type { DeletedOpenAiVideo, OpenAiVideo, OpenAiVideoList } from './openai-video';
import { OpenAiVideos, contentIsGone } from './openai-videos';

@Controller(`${OPENAI_PATH}/videos`)
export class OpenAiVideosController {
  constructor(
    private readonly createVideo: CreateOpenAiVideo,
    private readonly videos: OpenAiVideos,
    private readonly objects: ObjectStore,
  ) {}

  @Post()
  @HttpCode(HttpStatus.OK)
  @OpenAiRoute({ takesJson: true, bodyMaxBytes: BODY_MAX_BYTES['video.generation'], timeoutMs: 45_000 })
  async create(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<OpenAiVideo> {
    return this.videos.show(await this.createVideo.execute(request, reply), callerOf(request).account_id);
  }

  @Get()
  @OpenAiRoute({ query: LIST_VIDEOS_PARAMS })
  list(@CurrentCaller() caller: Admission, @Query() query: unknown): Promise<OpenAiVideoList> {
    return this.videos.list(toListVideosRequest(query, caller));
  }

  @Get(':id')
  @OpenAiRoute()
  get(@CurrentCaller() { account_id }: Admission, @AddressedId('video') job_id: string): Promise<OpenAiVideo> {
    return this.videos.get({ account_id, job_id });
  }

  @Get(':id/content')
  @OpenAiRoute({ query: ['variant'] })
  async download(
    @AddressedId('video') job_id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    readQueryAs(VideoContentQuery, withoutApiVersion(request.query));
    const { object_key } = await this.videos.findContent({ account_id: callerOf(request).account_id, job_id });
    await sendFile(reply, object_key, this.objects, contentIsGone);
  }

  @Delete(':id')
  @OpenAiRoute({ timeoutMs: 15_000 })
  delete(
    @CurrentCaller() { account_id }: Admission,
    @AddressedId('video') job_id: string,
  ): Promise<DeletedOpenAiVideo> {
    return this.videos.delete({ account_id, job_id });
  }
}
