import {
  type ErrorCode,
  HTTP_STATUS_BY_TYPE,
  isErrorCode,
  JOB_ERROR_CODES,
  type JobErrorCode,
  TYPE_BY_CODE,
} from '@kinora/contracts/shared/errors';
import type { JsonSchema } from '../contracts/json-schema';

export const MEANING_OF_END: Record<JobErrorCode, string> = {
  provider_error: 'The compute backend failed.',
  provider_timeout: 'The compute backend did not finish in time.',
  capacity: 'There is no capacity right now, or a required component does not answer.',
  invalid_output: 'The compute backend made a file that is not what was asked for.',
  storage_error: 'The outputs could not be stored.',
  content_blocked_output: 'The content policy forbids the output.',
  content_blocked_input: 'An input image violates the content policy.',
};

/** Whether a repeat can help. */
const REPEAT = {
  no: 'No: the answer would be the same.',
  changed: 'Only after that.',
  later: 'Yes: after Retry-After seconds, then after twice as long each time, with the same Idempotency-Key.',
  same: 'Yes, with the same Idempotency-Key, so that nothing happens twice.',
  anew: 'Yes, as a new job. The failed one is refunded.',
} as const;

const ASK_OPERATOR = ['Ask the operator of the service.', 'no'] as const;
const OTHER_KEY = ['Use another API key, or ask an owner of the account for its rights.', 'changed'] as const;
const OTHER_CONTENT = [
  'Change the content. Too many blocks suspend the account; a customer can appeal.',
  'changed',
] as const;
const AGAIN = ['Create the job again. Tell the operator if it happens often.', 'anew'] as const;

/** What a client does about each code. */
const REMEDIES: Record<ErrorCode | JobErrorCode, readonly [remedy: string, repeat: keyof typeof REPEAT]> = {
  invalid_body: ['Correct the field that param names.', 'changed'],
  invalid_json: ['Send one JSON object in UTF-8.', 'changed'],
  invalid_content_type: ['Set the Content-Type that the operation takes.', 'changed'],
  invalid_query: ['Correct the parameter that param names.', 'changed'],
  job_in_flight: ['Wait for the end of the job, or cancel it.', 'changed'],
  invalid_idempotency_key: ['Send a key such as a UUID.', 'changed'],
  quote_mismatch: ['Ask for a quote of exactly this request.', 'changed'],
  quote_expired: ['Ask for a new quote.', 'changed'],
  invalid_api_key: ['Send Authorization: Bearer with a valid key.', 'changed'],
  insufficient_balance: ['Top up, or switch auto-recharge on.', 'changed'],
  key_budget_exceeded: ['Raise the budget of the key, use another key, or wait for its next day or month.', 'changed'],
  account_paused: ASK_OPERATOR,
  account_suspended: ASK_OPERATOR,
  account_closed: ASK_OPERATOR,
  too_many_keys: ['Revoke a key that is not used any more.', 'changed'],
  last_account_key: ['Create another key of the scope account first.', 'changed'],
  scope_required: OTHER_KEY,
  exceeds_key: ['Give the new key fewer models, a smaller budget or an earlier expiry.', 'changed'],
  model_not_allowed: OTHER_KEY,
  not_found: ['Check the id and the path. Another account’s objects are not found, too.', 'no'],
  model_unavailable: ['Choose a model of GET /models with the needed capability.', 'changed'],
  idempotency_conflict: ['Use a new key for another request.', 'changed'],
  content_blocked_prompt: OTHER_CONTENT,
  content_blocked_input: OTHER_CONTENT,
  content_blocked_output: OTHER_CONTENT,
  rate_limited: ['Wait, and send fewer requests at once.', 'later'],
  concurrency_limit: ['Wait for the end of a job.', 'later'],
  capacity: ['Wait. A job that failed with this code is created again.', 'later'],
  internal_error: ['Repeat the request. Report its request_id if it happens again.', 'same'],
  provider_error: ['If the message names a file or a LoRA, check its address. Otherwise create the job again.', 'anew'],
  provider_timeout: AGAIN,
  invalid_output: AGAIN,
  storage_error: AGAIN,
};

/** Every code with its cause and its remedy, for the reference; sorted. */
export function errorGuide(describeCode: (code: ErrorCode) => string): JsonSchema {
  const codes = Object.keys(REMEDIES).sort() as (ErrorCode | JobErrorCode)[];
  return Object.fromEntries(
    codes.map((code) => {
      const [remedy, repeat] = REMEDIES[code];
      const seen_as = [
        ...(isErrorCode(code) ? [String(HTTP_STATUS_BY_TYPE[TYPE_BY_CODE[code]])] : []),
        ...(JOB_ERROR_CODES.some((known) => known === code) ? ['Job.error'] : []),
      ];
      const cause = isErrorCode(code) ? describeCode(code) : MEANING_OF_END[code];
      return [code, { seen_as, cause: cause.replaceAll('`', ''), remedy, repeat: REPEAT[repeat] }];
    }),
  );
}
