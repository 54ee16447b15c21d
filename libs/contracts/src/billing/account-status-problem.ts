import { ApiError } from '../shared/errors';
import type { AccountStatus } from './account';

const REASON = {
  paused:
    'The account is paused and cannot create jobs: the operator of this service has paused it, and can activate it.',
  suspended:
    'The account is suspended and cannot create jobs: the operator has suspended it, or content moderation has blocked too ' +
    'many of its outputs (GET /jobs?status=failed shows them). Ask the operator to review it.',
  closed: 'The account is closed and cannot create jobs.',
} as const satisfies Record<Exclude<AccountStatus, 'active'>, string>;

/** The reason for the refusal, and what the client can do (decisions: Authentication). The operator's own reason is not shown. */
export function accountStatusProblem(status: Exclude<AccountStatus, 'active'>): ApiError {
  return new ApiError(`account_${status}`, REASON[status]);
}
