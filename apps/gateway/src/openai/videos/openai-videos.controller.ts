import { Controller, Delete, Get, HttpCode, HttpStatus, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ListVideosQuery, VideoContentQuery } from '@kinora/contracts/jobs/lists.query';
import { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { type ListVideosRequest, videosRpc } from '@kinora/contracts/jobs/videos.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ObjectStore } from '@kinora/object-store';
import { BODY_MAX_BYTES } from '../../body-limits';
import { sendFile } from '../../files/send-file';
import { AddressedId, callerOf, CurrentCaller, isUuid } from '../../http/parameters.decorator';
import { readPageAs, readQueryAs } from '../../http/read-fields';
import { OPENAI_PATH, OpenAiOperation, OpenAiRoute, withoutApiVersion } from '../openai-operation.decorator';
import type { DeletedOpenAiVideo, OpenAiVideo, OpenAiVideoList } from './openai-video';
import { contentIsGone, CreateOpenAiVideo, OpenAiVideos } from './openai-videos';

const LIST_VIDEOS_PARAMS = ['limit', 'after', 'order'] as const satisfies (keyof ListVideosQuery)[];

/** @throws ApiError invalid_query */
function toListVideosRequest(query: unknown, { account_id }: Admission): ListVideosRequest {
  const { after, order = 'desc', limit } = readPageAs(ListVideosQuery, withoutApiVersion(query));
  if (after !== undefined && !isUuid(after))
    throw new ApiError('invalid_query', 'after must be the id of a video of this account.', { param: 'after' });
  return { account_id, limit, order, ...(after !== undefined && { after: after.toLowerCase() }) };
}

@Controller(`${OPENAI_PATH}/videos`)
export class OpenAiVideosController {
  constructor(
    private readonly createVideo: CreateOpenAiVideo,
    private readonly videos: OpenAiVideos,
    private readonly objects: ObjectStore,
  ) {}

  @Post()
  @HttpCode(HttpStatus.OK)
  @OpenAiRoute({
    takesJson: true,
    takesMultipart: true,
    bodyMaxBytes: BODY_MAX_BYTES['video.generation'],
    timeoutMs: 45_000,
  })
  @OpenAiOperation({
    operationId: 'createVideo',
    tag: 'Videos',
    summary: 'Animate an image',
    description:
      'Answers at once; poll the video until it is completed or failed. A repeat of a request whose answer was lost gets the job of the ' +
      'first one.',
    answer: 'The video, which is usually queued.',
    bodies: [
      {
        mediaType: 'application/json',
        fields: 'OpenAiVideoRequest',
        like: VideoGenerationBody,
        without: ['image', 'duration'],
      },
      {
        mediaType: 'multipart/form-data',
        fields: 'OpenAiVideoForm',
        like: VideoGenerationBody,
        // A form has no lists of objects.
        without: ['image', 'duration', 'loras'],
      },
    ],
    idempotent: true,
    errors: ['model_not_allowed', ...jobsRpc.findReplay.errors, ...jobsRpc.quote.errors, ...jobsRpc.create.errors],
  })
  async create(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<OpenAiVideo> {
    return this.videos.show(await this.createVideo.execute(request, reply), callerOf(request).account_id);
  }

  @Get()
  @OpenAiRoute({ query: LIST_VIDEOS_PARAMS })
  @OpenAiOperation({
    operationId: 'listVideos',
    tag: 'Videos',
    summary: 'List videos',
    description: 'The videos of the account, also those that were created through `/v1`, until they are deleted.',
    answer: 'A page of videos.',
    query: ListVideosQuery,
    errors: videosRpc.list.errors,
  })
  list(@CurrentCaller() caller: Admission, @Query() query: unknown): Promise<OpenAiVideoList> {
    return this.videos.list(toListVideosRequest(query, caller));
  }

  @Get(':id')
  @OpenAiRoute()
  @OpenAiOperation({
    operationId: 'retrieveVideo',
    tag: 'Videos',
    summary: 'Get a video',
    answer: 'The video as it is now.',
    errors: jobsRpc.get.errors,
  })
  get(@CurrentCaller() { account_id }: Admission, @AddressedId('video') job_id: string): Promise<OpenAiVideo> {
    return this.videos.get({ account_id, job_id });
  }

  @Get(':id/content')
  @OpenAiRoute({ query: ['variant'] })
  @OpenAiOperation({
    operationId: 'downloadVideo',
    tag: 'Videos',
    summary: 'Download a video',
    description:
      'The file of a completed video, until it is deleted or expires; otherwise 404. Takes one `Range` of bytes.',
    answer: 'The file.',
    file: 'video/mp4',
    query: VideoContentQuery,
    errors: jobsRpc.get.errors,
  })
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
  @OpenAiOperation({
    operationId: 'deleteVideo',
    tag: 'Videos',
    summary: 'Delete a video',
    description:
      'Deletes the content of an ended job as `DELETE /v1/jobs/{id}/content` does: the video, its start frame and every text of the ' +
      'request. The video is then in no list and 404; its job stays in `GET /v1/jobs`. A repeat is no error.',
    answer: 'The content is deleted.',
    errors: jobsRpc.deleteContent.errors,
  })
  delete(
    @CurrentCaller() { account_id }: Admission,
    @AddressedId('video') job_id: string,
  ): Promise<DeletedOpenAiVideo> {
    return this.videos.delete({ account_id, job_id });
  }
}
