import type { Job } from '@kinora/contracts/jobs/job';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import { OpenAiError, type OpenAiErrorFacts, moderationBlocked } from './openai-error';

/** A repeat of a failed job costs the backend the same again and rarely helps, so clients must not make it by themselves. */
const UPSTREAM = { status: 502, type: 'server_error', shouldRetry: false } as const;

const FAILURES: Record<JobErrorCode, Partial<OpenAiErrorFacts>> = {
  provider_error: UPSTREAM,
  provider_timeout: UPSTREAM,
  invalid_output: UPSTREAM,
  storage_error: UPSTREAM,
  capacity: { status: 503, type: 'capacity_error', retryAfterSeconds: 1 },
  content_blocked_output: moderationBlocked(),
  content_blocked_input: moderationBlocked(),
};

/** Why a job that has ended gives no images. */
export function toJobEndError({ status, error }: Job): OpenAiError {
  if (status !== 'failed' || !error)
    return new OpenAiError({
      status: 409,
      type: 'invalid_request_error',
      code: 'job_canceled',
      message: 'The job was canceled.',
      shouldRetry: false,
    });
  const { code, message } = error;
  return new OpenAiError({ status: 502, type: 'server_error', code, message, ...FAILURES[code] });
}

/** The job runs on and its result is not lost. A repeat of the request joins it. */
export function stillInFlight(jobId: string, waitSeconds: number): OpenAiError {
  return new OpenAiError({
    status: 504,
    type: 'server_error',
    code: 'job_in_flight',
    message: `Job ${jobId} has not ended within ${waitSeconds} s. It runs on: GET /v1/jobs/${jobId}, or send the same request again.`,
    shouldRetry: false,
  });
}
