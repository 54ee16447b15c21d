import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleError, notFound, toEnvelope } from './console-error';

/** Converts every exception into an error of the gateway's form; an unexpected one only logs its cause. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(@InjectLogger() private readonly logger: Logger) {}

  catch(failure: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = nameTheQuery(toPublicError(failure), request);
    if (error.code === 'internal_error') this.report(failure, request);
    request.errorCode = error.code;
    // A response that has begun cannot become an error: the client sees that it is cut.
    if (reply.raw.headersSent) return void reply.raw.destroy();
    if (error instanceof ApiError && error.retryAfterSeconds !== undefined)
      void reply.header('Retry-After', String(error.retryAfterSeconds));
    void reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .status(error.status)
      .send(toEnvelope(error, request.id));
  }

  private report(failure: unknown, request: FastifyRequest): void {
    const stack = failure instanceof Error ? failure.stack : String(failure);
    this.logger.error({ request_id: request.id, route: request.routeOptions.url, stack }, 'request_failed');
  }
}

function toPublicError(failure: unknown): ApiError | ConsoleError {
  if (failure instanceof ApiError || failure instanceof ConsoleError) return failure;
  if (failure instanceof HttpException) return failure.getStatus() < 500 ? notFound() : ApiError.internal();
  return ApiError.internal();
}

/** Contexts refuse every field as `invalid_body`. A field that the client has sent in the query becomes `invalid_query` here. */
function nameTheQuery(error: ApiError | ConsoleError, { query }: FastifyRequest): ApiError | ConsoleError {
  const { code, message, param } = error;
  if (code !== 'invalid_body' || param === undefined || !Object.hasOwn(query as object, param)) return error;
  return new ApiError('invalid_query', message, { param });
}
