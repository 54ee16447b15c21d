import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import type { ModerationStatus } from '@kinora/contracts/jobs/job';
import type { StoredOutput } from './job.entity';
import type { OutputVerdict, PassedDecisionId } from '@kinora/contracts/moderation/moderation.rpc';

export type JobEnd =
  | {
      status: 'succeeded';
      output: StoredOutput[];
      output_decision_id: PassedDecisionId;
      passed_output_sha256: string[];
      gpu_ms: number | null;
    }
  | {
      status: 'failed';
      error_code: JobErrorCode;
      gpu_ms: number | null;
      /** Instead of the message of the code, where the client can correct the cause. */
      error_message?: string;
    }
  | { status: 'canceled' };

/** A job that ends without a block has the moderation status `passed`, because its inputs have passed. */
export function moderationStatusAt(end: JobEnd): ModerationStatus {
  const blocked = end.status === 'failed' && end.error_code.startsWith('content_blocked');
  return blocked ? 'blocked' : 'passed';
}

/** Names the decision, which an operator can look up. */
export function blockedOutputMessage({
  category = 'other content',
  decision_id,
}: Extract<OutputVerdict, { verdict: 'blocked' }>): string {
  const [sentence, ...rest] = MESSAGE_BY_ERROR_CODE.content_blocked_output.split('. ');
  return [`${sentence} (${category}, decision ${decision_id})`, ...rest].join('. ');
}

/** Plain English for clients, without internals. */
export const MESSAGE_BY_ERROR_CODE: Record<JobErrorCode, string> = {
  provider_error: 'The provider could not make this output. You were not charged.',
  provider_timeout: 'The provider did not finish in time. You were not charged.',
  capacity: 'No capacity was free in time. You were not charged; please retry later.',
  invalid_output: 'The provider returned an output that could not be used. You were not charged.',
  storage_error: 'The output could not be stored. You were not charged.',
  content_blocked_output:
    'The generated output failed the content policy. It was deleted, and you were not charged. Do not send the same content again: an account with too many such blocks is suspended.',
  content_blocked_input: 'An input image violates the content policy. You were not charged.',
};
