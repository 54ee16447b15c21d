import { accountStatusProblem } from '@kinora/contracts/billing/account-status-problem';
import { DEFAULT_MODEL } from '@kinora/contracts/jobs/default-model';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/is-record';
import type { JobPost } from './job-post.decorator';

/**
 * Interface, "Authentication": a paused, suspended or closed account is refused job creation; and so is a key another
 * model than its own. Decisions put this before the body is judged, so the model is looked up in the body as it came.
 * @throws ApiError
 */
export function assertMayCreateJobs({ caller, body }: JobPost, kind: keyof typeof DEFAULT_MODEL): void {
  const { account_status, allowed_models } = caller;
  if (account_status !== 'active') throw accountStatusProblem(account_status);
  const model = askedModel(body.value) ?? DEFAULT_MODEL[kind];
  if (allowed_models && !allowed_models.includes(model))
    throw new ApiError('model_not_allowed', `This API key may use these models only: ${allowed_models.join(', ')}.`, {
      param: 'model',
    });
}

/** Undefined without one, and for what is no model's name at all, which the body's own rules refuse. */
function askedModel(body: unknown): string | undefined {
  const model: unknown = isRecord(body) ? body['model'] : undefined;
  return typeof model === 'string' ? model : undefined;
}
