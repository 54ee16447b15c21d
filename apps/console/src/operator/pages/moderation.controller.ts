import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import {
  type DecisionDetails,
  type PolicyReplay,
  type StrikeDetails,
  moderationAdminRpc,
} from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { Page } from '@kinora/contracts/shared/page';
import { reasonField, textField } from '../../http/body-fields';
import { AuditTrail } from '../audit/audit-trail';
import { CurrentOperator, type Operator, OperatorBus } from '../users/operator';
import { Requires } from '../users/permissions';
import { type ListQuery, limitOf, textsOf, toPage } from './query-fields';

type Listed<Item> = Omit<Page<Item>, 'object'>;

/** Below the limit of a body. */
const POLICY_MAX_CHARS = 60_000;

/** Decisions and strikes of moderation, and the replay of a policy over recorded decisions. */
@Controller('admin/v1/operator/moderation')
export class ModerationController {
  constructor(
    private readonly bus: OperatorBus,
    private readonly audit: AuditTrail,
  ) {}

  @Get('decisions')
  @Requires('view')
  async listDecisions(@Query() query: ListQuery): Promise<Listed<DecisionDetails>> {
    const filter = { ...textsOf(query, 'account_id', 'job_id', 'verdict', 'cursor'), ...limitOf(query) };
    return toPage(await this.bus.request(moderationAdminRpc.listDecisions, filter));
  }

  @Get('decisions/:id')
  @Requires('view')
  showDecision(@Param('id', ParseUUIDPipe) decision_id: string): Promise<DecisionDetails> {
    return this.bus.request(moderationAdminRpc.getDecision, { decision_id });
  }

  @Get('strikes')
  @Requires('view')
  async listStrikes(@Query() query: ListQuery): Promise<Listed<StrikeDetails>> {
    const filter = { ...textsOf(query, 'account_id', 'cursor'), ...limitOf(query) };
    return toPage(await this.bus.request(moderationAdminRpc.listStrikes, filter));
  }

  @Post('strikes/:id/lift')
  @HttpCode(200)
  @Requires('lift_strikes', { isConfirmed: true })
  liftStrike(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) strike_id: string,
    @Body() body: unknown,
  ): Promise<StrikeDetails> {
    const reason = reasonField(body);
    return this.audit.run(
      by,
      { action: 'lift_strike', target: strike_id, reason },
      () => this.bus.request(moderationAdminRpc.liftStrike, { strike_id, reason, actor: by.email }),
      ({ account_id, job_id, lifted_at }) => ({ account_id, job_id, lifted_at }),
    );
  }

  /** One page of the record; the next one goes on at `next_before_decision_id`. */
  @Post('replays')
  @HttpCode(200)
  @Requires('replay_policy')
  replay(@Body() body: unknown, @Query() query: ListQuery): Promise<PolicyReplay> {
    const policy = textField(body, 'policy', POLICY_MAX_CHARS);
    return this.bus.request(moderationAdminRpc.replayPolicy, {
      policy,
      ...textsOf(query, 'since', 'before_decision_id'),
    });
  }
}
