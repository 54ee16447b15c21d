import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, HttpStatus } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ObjectStoreUnavailable } from '@kinora/object-store';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnsweredError, type ErrorAnswer, OtherErrorForm, toEnvelope } from './error-answer';
import { httpErrors } from './http.metrics';
import { noSuchEndpoint } from './known-routes';

/**
 * Converts every exception into a response: an ApiError as it is, anything else as internal_error with its cause only in
 * the log.
 */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  constructor(
    @InjectLogger() private readonly logger: Logger,
    private readonly otherForm: OtherErrorForm,
  ) {}

  catch(failure: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const answer = failure instanceof AnsweredError ? failure.answer : this.toAnswer(failure, request);
    request.errorCode = answer.code;
    request.errorBody = answer.body;
    httpErrors.inc({ code: answer.code });
    reply.status(answer.status).headers(answer.headers).send(answer.body);
  }

  private toAnswer(failure: unknown, request: FastifyRequest): ErrorAnswer {
    const error = toApiError(failure, request);
    if (error.code === 'internal_error') this.report(failure, request);
    return this.otherForm.toAnswer(error, request) ?? toEnvelopeAnswer(error, request);
  }

  private report(failure: unknown, request: FastifyRequest): void {
    const stack = failure instanceof Error ? failure.stack : String(failure);
    this.logger.error({ request_id: request.id, route: request.routeOptions.url, stack }, 'request_failed');
  }
}

function toEnvelopeAnswer(error: ApiError, request: FastifyRequest): ErrorAnswer {
  const { status, code, retryAfterSeconds } = error;
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return { status, code, headers, body: toEnvelope(error, request.id) };
}

function toApiError(failure: unknown, request: FastifyRequest): ApiError {
  if (failure instanceof ApiError) return failure;
  if (failure instanceof ObjectStoreUnavailable) return ApiError.unavailable('Storage');
  if (failure instanceof HttpException) return toListedError(failure.getStatus(), request);
  return ApiError.internal();
}

/** Maps exceptions of the framework to errors of the API, which uses fewer statuses (decisions: Request bodies). */
function toListedError(status: number, request: FastifyRequest): ApiError {
  if (status >= 500) return ApiError.internal();
  if (status === Number(HttpStatus.NOT_FOUND)) return noSuchEndpoint(request);
  if (status === Number(HttpStatus.UNSUPPORTED_MEDIA_TYPE)) {
    return new ApiError('invalid_content_type', 'The Content-Type is malformed.');
  }
  return new ApiError('invalid_body', 'The request is malformed.');
}
