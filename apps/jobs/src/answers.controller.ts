import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { type JobRef, type OutputFile, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import {
  type OpenRequest,
  type ReportAnswers,
  unansweredRequestsRpc,
} from '@kinora/contracts/jobs/unanswered-requests.rpc';
import { type ListVideosRequest, type VideoPage, videosRpc } from '@kinora/contracts/jobs/videos.rpc';
import { ListOutputFiles } from './use-cases/list-output-files/list-output-files.query';
import { ListVideos } from './use-cases/list-videos/list-videos.query';
import { OpenRequest as OpenRequestUseCase } from './use-cases/open-request/open-request.use-case';
import { ReportAnswers as ReportAnswersUseCase } from './use-cases/report-answers/report-answers.use-case';

/** What gateways need to answer clients of the OpenAI-compatible API. */
@Controller()
export class AnswersController {
  constructor(
    private readonly openRequest: OpenRequestUseCase,
    private readonly reportAnswers: ReportAnswersUseCase,
    private readonly listOutputFiles: ListOutputFiles,
    private readonly listVideos: ListVideos,
  ) {}

  @Handles(unansweredRequestsRpc.open)
  open(request: OpenRequest): Promise<{ idempotency_key: string }> {
    return this.openRequest.execute(request);
  }

  @Handles(unansweredRequestsRpc.report)
  report(report: ReportAnswers): Promise<Record<string, never>> {
    return this.reportAnswers.execute(report);
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
