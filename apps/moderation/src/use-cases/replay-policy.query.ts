import { Injectable } from '@nestjs/common';
import { isISO8601 } from 'class-validator';
import type { PolicyReplay, ReplayPolicyRequest } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ConfigError, OperatorDocument } from '@kinora/service-kit';
import type { EnginePolicy } from '../judging/engine-policy';
import { readEnginePolicies } from '../engines/load-engines';
import { ENGINES_WITHOUT_SCORES } from '../judging/engine';
import { readSections } from '../judging/moderation-file';
import { ModerationConfig } from '../moderation.config';
import { assertUuid, invalidField } from '../operator-input';
import { RecordedDecisionRepository } from '../replay/recorded-decision.repository';
import { countChanges } from '../replay/replay-decision';

/** A page is read and replayed well within the caller's timeout, even with many findings for each decision. */
const PAGE = 1_000;
const MAX_POLICY_CHARS = 256 * 1_024;

/** Reports which recorded decisions another moderation.yaml would change, before the operator deploys it. */
@Injectable()
export class ReplayPolicy {
  constructor(
    private readonly decisions: RecordedDecisionRepository,
    private readonly config: ModerationConfig,
  ) {}

  async execute(request: ReplayPolicyRequest): Promise<PolicyReplay> {
    const { policy, since = null, before_decision_id = null } = request;
    assertUuid('before_decision_id', before_decision_id);
    const from = readSince(since);
    const engines = this.read(policy);
    const page = await this.decisions.readBack(before_decision_id, PAGE);
    const decisions = page.filter(({ created_at }) => created_at >= from);
    // Clocks of processes differ, so ids are not exactly in order of `created_at`. The last page has no decision since `from`.
    const isLast = page.length < PAGE || decisions.length === 0;
    return {
      checked: decisions.length,
      changes: countChanges(decisions, engines),
      as_recorded: [...ENGINES_WITHOUT_SCORES],
      next_before_decision_id: isLast ? null : (page.at(-1)?.decision_id ?? null),
    };
  }

  private read(policy: string): EnginePolicy[] {
    if (typeof policy !== 'string' || policy.length > MAX_POLICY_CHARS)
      throw invalidField('policy', `a text of at most ${MAX_POLICY_CHARS} characters`);
    try {
      const document = OperatorDocument.parse('policy', policy, this.config.environment);
      return readEnginePolicies({ document, sections: readSections(document) });
    } catch (error) {
      throw error instanceof ConfigError ? new ApiError('invalid_body', error.message, { param: 'policy' }) : error;
    }
  }
}

function readSince(since: string | null): Date {
  if (since === null) return new Date(0);
  if (!isISO8601(since, { strict: true })) throw invalidField('since', 'a time as of RFC 3339, or a date');
  return new Date(since);
}
