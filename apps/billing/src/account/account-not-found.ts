import { ApiError } from '@kinora/contracts/shared/errors';

export function accountNotFound(): ApiError {
  return new ApiError('not_found', 'There is no such account.', { param: 'account_id' });
}
