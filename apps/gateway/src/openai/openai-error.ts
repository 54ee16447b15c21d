import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Job } from '@kinora/contracts/jobs/job';
import type { ApiError, ErrorCode, JobErrorCode } from '@kinora/contracts/shared/errors';
import { AnsweredError, type ErrorAnswer, OtherErrorForm } from '../http/error-answer';
import { isOpenAiRequest } from './openai-operation.decorator';

/** The body of every error response of the OpenAI-compatible API. */
export interface OpenAiErrorBody {
  error: { message: string; type: string; param: string | null; code: string };
}

export interface OpenAiErrorFacts {
  status: number;
  type: string;
  code: string;
  message: string;
  param?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** False where a repeat cannot help: the clients of OpenAI repeat 408, 409, 429 and every 5xx unless a header forbids it. */
  shouldRetry?: boolean;
}

export class OpenAiError extends AnsweredError {
  constructor(private readonly facts: OpenAiErrorFacts) {
    super(facts.message);
    this.name = 'OpenAiError';
  }

  override get answer(): ErrorAnswer {
    const { status, code, message, type, param = null, retryAfterSeconds, shouldRetry } = this.facts;
    const headers = {
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...(shouldRetry === false ? { 'x-should-retry': 'false' } : {}),
    };
    return { status, code, headers, body: { error: { message, type, param, code } } satisfies OpenAiErrorBody };
  }
}

/** Where OpenAI's clients know another code, or another status. */
const TRANSLATED: Partial<Record<ErrorCode, Pick<OpenAiErrorFacts, 'code'> & Partial<OpenAiErrorFacts>>> = {
  content_blocked_prompt: moderationBlocked(),
  content_blocked_input: moderationBlocked(),
  model_unavailable: { code: 'model_not_found', type: 'invalid_request_error' },
  rate_limited: { code: 'rate_limit_exceeded' },
  idempotency_conflict: { code: 'idempotency_conflict', shouldRetry: false },
  internal_error: { code: 'internal_error', type: 'server_error' },
};

export function toOpenAiError({ status, type, code, message, param, retryAfterSeconds }: ApiError): OpenAiError {
  return new OpenAiError({ status, type, code, message, param, retryAfterSeconds, ...TRANSLATED[code] });
}

/** The same whatever was blocked: the prompt, an image that came with it, or the result. */
function moderationBlocked(): Pick<OpenAiErrorFacts, 'status' | 'type' | 'code'> {
  return { status: 400, type: 'invalid_request_error', code: 'moderation_blocked' };
}

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

/** Errors of admission and of /v1 in OpenAI's form, also on unknown paths. */
@Injectable()
export class OpenAiErrorForm extends OtherErrorForm {
  override toAnswer(error: ApiError, request: FastifyRequest): ErrorAnswer | null {
    return isOpenAiRequest(request) ? toOpenAiError(error).answer : null;
  }
}
