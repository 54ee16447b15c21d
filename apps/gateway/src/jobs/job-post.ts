import { type ExecutionContext, HttpStatus, createParamDecorator } from '@nestjs/common';
import { accountStatusProblem } from '@kinora/contracts/billing/account';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { DEFAULT_MODEL } from '@kinora/contracts/jobs/job-choices';
import { type ClientInput, isInFlight, type Job } from '@kinora/contracts/jobs/job';
import type { JobBody } from '@kinora/contracts/jobs/job.body';
import type { CreateJobReply, CreateJobRequest, Idempotency, QuotePayer } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/texts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../http/parameters.decorator';
import type { ReceivedBody } from '../http/received-body';

/** A request for a new job: admitted and parsed, its body not yet validated. */
export interface JobPost {
  caller: Admission;
  /** Method and path; an Idempotency-Key is bound to them. */
  route: string;
  /** One entry per header, so that a repeated header is refused. */
  idempotencyKeys: readonly string[];
  /** The quote whose price the job shall have; undefined without the header. */
  quote: string | undefined;
  body: ReceivedBody;
  /** Set where the gateway gives the request a key, because the client sends none and may repeat the request. */
  idempotency?: Idempotency;
}

/** The `JobPost` of the current request, for a controller's parameter. */
export const CurrentJobPost = createParamDecorator((_data: unknown, context: ExecutionContext): JobPost =>
  toJobPost(context.switchToHttp().getRequest<FastifyRequest>()),
);

export function toJobPost(request: FastifyRequest): JobPost {
  return {
    caller: callerOf(request),
    route: `POST ${request.routeOptions.url?.replace('/v1', '')}`,
    idempotencyKeys: request.raw.headersDistinct['idempotency-key'] ?? [],
    // Several headers are no quote, like any text that was never issued.
    quote: request.raw.headersDistinct['x-service-quote']?.join(', '),
    body: request.body as ReceivedBody,
  };
}

/** (decisions: Idempotency) */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The Idempotency-Key with the route and body hash that it is bound to; undefined without a key.
 * @throws ApiError invalid_idempotency_key
 */
export function toIdempotency({ route, idempotencyKeys, body, idempotency }: JobPost): Idempotency | undefined {
  if (idempotencyKeys.length === 0) return idempotency;
  const [key = '', ...more] = idempotencyKeys;
  if (more.length > 0 || !IDEMPOTENCY_KEY.test(key)) {
    const message = 'The Idempotency-Key must be one header of 1 to 255 visible ASCII characters.';
    throw new ApiError('invalid_idempotency_key', message, { param: 'Idempotency-Key' });
  }
  return { key, route, body_sha256: hashOf(body) };
}

/** The body of a creation is hashed by its route policy, unless it is nested too deeply. @throws ApiError invalid_body */
function hashOf({ sha256 }: ReceivedBody): string {
  if (sha256 === undefined) throw new ApiError('invalid_body', 'The body is nested too deeply.');
  return sha256;
}

/**
 * Refuses to create a job for an account that is not active, or for a key that does not allow the model. This check comes
 * before the validation of the body (decisions: Order of checks), so it reads the model from the raw body.
 * @throws ApiError account_paused, account_suspended, account_closed, model_not_allowed
 */
export function assertMayCreateJobs(
  { caller, body }: Pick<JobPost, 'caller' | 'body'>,
  kind: keyof typeof DEFAULT_MODEL,
): void {
  const { account_status, allowed_models } = caller;
  if (account_status !== 'active') throw accountStatusProblem(account_status);
  const model = requestedModel(body.value) ?? DEFAULT_MODEL[kind];
  if (allowed_models && !allowed_models.includes(model))
    throw new ApiError('model_not_allowed', `This API key may use these models only: ${allowed_models.join(', ')}.`, {
      param: 'model',
    });
}

export function toCommonFields(
  { webhook_url, metadata }: JobBody,
  { caller, body, quote }: JobPost,
  idempotency: Idempotency | undefined,
): Omit<CreateJobRequest, 'kind' | 'input' | 'images'> {
  return {
    ...toPayer({ caller, quote }),
    request_sha256: hashOf(body),
    ...(idempotency && { idempotency }),
    ...(webhook_url !== undefined && { webhook_url }),
    ...(metadata && { metadata }),
  };
}

/** Who pays, and at which price. */
export function toPayer({
  caller: { account_id, api_key_id, price_group },
  quote,
}: Pick<JobPost, 'caller' | 'quote'>): QuotePayer {
  const group = price_group === undefined ? {} : { price_group };
  return { account_id, api_key_id, ...group, ...(quote !== undefined && { quote }) };
}

/** The fields of a body that describe the output: without its images, which are separate, and the common fields. */
export function toClientInput<Body extends JobBody>(body: Body): ClientInput<Body> {
  const {
    webhook_url: _url,
    metadata: _metadata,
    image: _image,
    images: _images,
    ...input
  } = body as Body & ImageFields;
  return input;
}

interface ImageFields {
  image?: unknown;
  images?: unknown;
}

/** Answers 202 for a job in flight; 200 for one that has ended, and for every replay. */
export function answerCreated(reply: FastifyReply, { job, replayed }: CreateJobReply): Job {
  reply.request.createdJobId = job.id;
  if (replayed) reply.header('Idempotency-Replayed', 'true');
  reply.status(!replayed && isInFlight(job.status) ? HttpStatus.ACCEPTED : HttpStatus.OK);
  return job;
}

/** Undefined without a model, and for a value that is not a string, which the body validation refuses. */
export function requestedModel(body: unknown): string | undefined {
  const model: unknown = isRecord(body) ? body['model'] : undefined;
  return typeof model === 'string' ? model : undefined;
}
