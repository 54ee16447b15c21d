import { type ApiError, type ErrorCode } from '@kinora/contracts/shared/errors';
import { AnsweredError, type ErrorAnswer } from '../http/error-answer';

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

/** An error in OpenAI's terms. */
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
export function moderationBlocked(): Pick<OpenAiErrorFacts, 'status' | 'type' | 'code'> {
  return { status: 400, type: 'invalid_request_error', code: 'moderation_blocked' };
}
