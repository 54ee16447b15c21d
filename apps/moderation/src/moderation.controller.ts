import { Controller } from '@nestjs/common';
import {
  type DecisionReference,
  moderationHealthRpc,
  moderationRpc,
  type OutputVerdict,
  type PassedContent,
  type ScreenInputRequest,
  type ScreenOutputRequest,
} from '@kinora/contracts/moderation/moderation.rpc';
import { type StandingsPage, type StandingsRequest, standingsRpc } from '@kinora/contracts/moderation/standings.rpc';
import { type Appeal, type AppealRequest, appealsRpc } from '@kinora/contracts/moderation/appeals.rpc';
import type { HealthReport } from '@kinora/contracts/shared/health';
import { Handles } from '@kinora/bus';
import { Readiness } from '@kinora/service-kit';
import { AppealJob } from './use-cases/appeal-job.use-case';
import { ListDecisions } from './use-cases/list-decisions.query';
import { ListStrikes } from './use-cases/list-strikes.query';
import { ScreenInput } from './use-cases/screen-input.use-case';
import { ScreenOutput } from './use-cases/screen-output.use-case';
import { VideoDecoder } from './video/video-decoder';

/** The requests that other contexts send to moderation. */
@Controller()
export class ModerationController {
  constructor(
    private readonly screenInputUseCase: ScreenInput,
    private readonly screenOutputUseCase: ScreenOutput,
    private readonly strikes: ListStrikes,
    private readonly decisions: ListDecisions,
    private readonly videoDecoder: VideoDecoder,
    private readonly appealJob: AppealJob,
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
    return this.strikes.standings(request);
  }

  @Handles(moderationRpc.findJobDecisions)
  findJobDecisions(request: { account_id: string; job_id: string }): Promise<{ decisions: DecisionReference[] }> {
    return this.decisions.findOfJob(request);
  }

  @Handles(appealsRpc.appeal)
  appeal(request: AppealRequest): Promise<Appeal> {
    return this.appealJob.execute(request);
  }

  @Handles(moderationRpc.examineVideoDecoder)
  async examineVideoDecoder(_request: Record<string, never>): Promise<{ problem: string | null }> {
    return { problem: await this.videoDecoder.findProblem() };
  }
}

/** Answers health requests over NATS, for operators without access to the health port. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Handles(moderationHealthRpc.check)
  check(_request: Record<string, never>): Promise<HealthReport> {
    return this.readiness.report();
  }
}
