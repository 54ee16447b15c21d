import { accountStatusProblem } from '@kinora/contracts/billing/account-status-problem';
import { DEFAULT_MODEL } from '@kinora/contracts/jobs/default-model';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { JobPost } from './job-post.decorator';

/**
 * Refuses a creation of an account that is not active, and of a key for a model that the key may not use. This check comes
 * before the body is validated (decisions: Order of checks), so it reads the model from the body as it came.
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
  const model: unknown = typeof body === 'object' && body !== null && 'model' in body ? body.model : undefined;
  return typeof model === 'string' ? model : undefined;
}
