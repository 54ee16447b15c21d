import { Controller } from '@nestjs/common';
import {
  type AppealDetails,
  appealsAdminRpc,
  type DecideAppealRequest,
  type ListAppealsRequest,
} from '@kinora/contracts/moderation/appeals.rpc';
import { Handles } from '@kinora/bus';
import {
  type DecisionDetails,
  type LiftStrikeRequest,
  type ListDecisionsRequest,
  type ListStrikesRequest,
  moderationAdminRpc,
  type PolicyReplay,
  rehearsalRpc,
  type ReplayPolicyRequest,
  type StrikeDetails,
} from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import type { RetentionPlan } from '@kinora/contracts/shared/retention';
import { PartitionedTable } from '@kinora/database';
import { DecideAppeal } from './use-cases/decide-appeal.use-case';
import { AllowRehearsal, LiftStrike } from './use-cases/lift-strike.use-case';
import { ListDecisions } from './use-cases/list-decisions.query';
import { ListStrikes } from './use-cases/list-strikes.query';
import { ReplayPolicy } from './use-cases/replay-policy.query';

/** The requests of operators about strikes, decisions and appeals. */
@Controller()
export class ReviewController {
  constructor(
    private readonly strikes: ListStrikes,
    private readonly liftStrikeUseCase: LiftStrike,
    private readonly allowRehearsalUseCase: AllowRehearsal,
    private readonly decisions: ListDecisions,
    private readonly replayPolicyQuery: ReplayPolicy,
    private readonly appeals: DecideAppeal,
    private readonly decisionMonths: PartitionedTable,
  ) {}

  @Handles(moderationAdminRpc.listStrikes)
  listStrikes(request: ListStrikesRequest): Promise<PartialList<StrikeDetails>> {
    return this.strikes.execute(request);
  }

  @Handles(moderationAdminRpc.liftStrike)
  liftStrike(request: LiftStrikeRequest): Promise<StrikeDetails> {
    return this.liftStrikeUseCase.execute(request);
  }

  @Handles(rehearsalRpc.allow)
  allowRehearsal(request: { account_id: string }): Promise<Record<string, never>> {
    return this.allowRehearsalUseCase.execute(request);
  }

  @Handles(moderationAdminRpc.listDecisions)
  listDecisions(request: ListDecisionsRequest): Promise<PartialList<DecisionDetails>> {
    return this.decisions.execute(request);
  }

  @Handles(moderationAdminRpc.getDecision)
  getDecision(request: { decision_id: string }): Promise<DecisionDetails> {
    return this.decisions.get(request);
  }

  @Handles(appealsAdminRpc.list)
  listAppeals(request: ListAppealsRequest): Promise<PartialList<AppealDetails>> {
    return this.appeals.list(request);
  }

  @Handles(appealsAdminRpc.decide)
  decideAppeal(request: DecideAppealRequest): Promise<AppealDetails> {
    return this.appeals.execute(request);
  }

  @Handles(moderationAdminRpc.planRetention)
  planRetention(_request: Record<string, never>): Promise<RetentionPlan> {
    return this.decisionMonths.plan();
  }

  @Handles(moderationAdminRpc.replayPolicy)
  replayPolicy(request: ReplayPolicyRequest): Promise<PolicyReplay> {
    return this.replayPolicyQuery.execute(request);
  }
}
