import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { type JobRef, type OutputFile, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import {
  type CloseUnkeyedRequest,
  type OpenUnkeyedRequest,
  type RequestSending,
  unkeyedRequestsRpc,
} from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { type ListVideosRequest, type VideoPage, videosRpc } from '@kinora/contracts/jobs/videos.rpc';
import { ListOutputFiles } from './use-cases/get-job.query';
import { ListVideos } from './use-cases/list-jobs.query';
import { UnkeyedRequests } from '../intake/use-cases/unkeyed-requests.use-case';

/** What gateways need to answer clients of the OpenAI-compatible API. */
@Controller()
export class AnswersController {
  constructor(
    private readonly unkeyedRequests: UnkeyedRequests,
    private readonly listOutputFiles: ListOutputFiles,
    private readonly listVideos: ListVideos,
  ) {}

  @Handles(unkeyedRequestsRpc.open)
  open(request: OpenUnkeyedRequest): Promise<RequestSending & { idempotency_key: string }> {
    return this.unkeyedRequests.open(request);
  }

  @Handles(unkeyedRequestsRpc.close)
  close(closing: CloseUnkeyedRequest): Promise<Record<string, never>> {
    return this.unkeyedRequests.close(closing);
  }

  @Handles(jobsRpc.listOutputFiles)
  listFiles(ref: JobRef): Promise<{ files: OutputFile[] }> {
    return this.listOutputFiles.execute(ref);
  }

  @Handles(videosRpc.list)
  list(request: ListVideosRequest): Promise<VideoPage> {
    return this.listVideos.execute(request);
  }
}
