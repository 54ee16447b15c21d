import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import type { PassedContent } from '@kinora/contracts/moderation/decision';
import {
  type DecisionReference,
  type OutputVerdict,
  type ScreenInputRequest,
  moderationRpc,
} from '@kinora/contracts/moderation/moderation.rpc';
import { type StandingsPage, type StandingsRequest, standingsRpc } from '@kinora/contracts/moderation/standings.rpc';
import { FindJobDecisions } from './use-cases/find-job-decisions/find-job-decisions.query';
import { ListStrikeStandings } from './use-cases/list-strike-standings/list-strike-standings.query';
import { ScreenInput } from './use-cases/screen-input/screen-input.use-case';
import { ScreenOutput, type ScreenOutputRequest } from './use-cases/screen-output/screen-output.use-case';
import { VideoDecoder } from './video/video-decoder';

/** The requests that other contexts send to moderation. */
@Controller()
export class ModerationController {
  constructor(
    private readonly screenInputUseCase: ScreenInput,
    private readonly screenOutputUseCase: ScreenOutput,
    private readonly listStandingsQuery: ListStrikeStandings,
    private readonly findJobDecisionsQuery: FindJobDecisions,
    private readonly videoDecoder: VideoDecoder,
  ) {}

  @Handles(moderationRpc.screenInput)
  screenInput(request: ScreenInputRequest): Promise<PassedContent> {
    return this.screenInputUseCase.execute(request);
  }

  @Handles(moderationRpc.screenOutput)
  screenOutput(request: ScreenOutputRequest): Promise<OutputVerdict> {
    return this.screenOutputUseCase.execute(request);
  }

  @Handles(standingsRpc.listStandings)
  listStandings(request: StandingsRequest): Promise<StandingsPage> {
    return this.listStandingsQuery.execute(request);
  }

  @Handles(moderationRpc.findJobDecisions)
  findJobDecisions(request: { account_id: string; job_id: string }): Promise<{ decisions: DecisionReference[] }> {
    return this.findJobDecisionsQuery.execute(request);
  }

  @Handles(moderationRpc.examineVideoDecoder)
  async examineVideoDecoder(_request: Record<string, never>): Promise<{ problem: string | null }> {
    return { problem: await this.videoDecoder.findProblem() };
  }
}
