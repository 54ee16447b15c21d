import { API_KEY_PREFIX } from '@kinora/contracts/billing/api-key-format';
import { ApiError } from '@kinora/contracts/shared/errors';

const MESSAGE = `The API key is missing or not valid. Send it in the header Authorization: Bearer ${API_KEY_PREFIX}…`;

/** The same words for every reason, so that the answer does not tell which keys exist. */
export function invalidApiKey(): ApiError {
  return new ApiError('invalid_api_key', MESSAGE);
}
