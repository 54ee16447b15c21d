import type { Job } from '@kinora/contracts/jobs/job';
import type { Answer, ErrorBody } from '../../support/api-client';
import { aDateTime, aNumber, aRequestId, aText, aUrl, aUuidV7, anInteger, anObject, listOf, oneOf } from './shapes';

/** The HTTP status of each type (decisions: Error codes). */
const TYPE_BY_STATUS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'insufficient_balance',
  403: 'permission_error',
  404: 'not_found',
  409: 'idempotency_conflict',
  414: 'invalid_request_error',
  422: 'content_blocked',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'capacity_error',
};

/** The Job table, key for key: each field is present exactly where the table says so. */
const JOB = {
  id: aUuidV7,
  object: 'job',
  status: oneOf('queued', 'processing', 'succeeded', 'failed', 'canceled'),
  kind: oneOf('image.generation', 'image.edit', 'image.variation', 'image.inpaint', 'video.generation'),
  model: aText,
  input: anObject,
  output: anObject.orNull(),
  usage: { charged_micros: anInteger, charged_usd: aNumber, gpu_ms: anInteger.orNull() },
  moderation: { status: oneOf('passed', 'blocked', 'pending') },
  error: anObject.orNull(),
  created_at: aDateTime,
  started_at: aDateTime.orNull(),
  completed_at: aDateTime.orNull(),
  expires_at: aDateTime.orNull(),
  metadata: anObject.orNull(),
};

const IMAGE_OUTPUT = {
  url: aUrl.orNull(),
  mime: oneOf('image/png', 'image/jpeg', 'image/webp'),
  width: anInteger,
  height: anInteger,
  seed: anInteger,
  bytes: anInteger,
};

const VIDEO_OUTPUT = {
  url: aUrl.orNull(),
  mime: 'video/mp4',
  duration: aNumber,
  fps: aNumber,
  width: anInteger,
  height: anInteger,
  bytes: anInteger,
};

/** Scoped to the key or to the client address, but always present. */
export function expectHeaders(headers: Headers): void {
  expect(headers.get('x-request-id')).toEqual(aRequestId);
  expect(headers.get('ratelimit-limit')).toMatch(/^[1-9]\d*$/);
  expect(headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
}

export interface ExpectedError {
  status: number;
  code: string;
  param?: string;
}

/** The envelope, with no fields besides those of (API: ErrorEnvelope). */
export function expectEnvelope(answer: Answer<unknown>, { status, code, param }: ExpectedError): void {
  const body = answer.body as ErrorBody;
  expect([answer.status, body]).toEqual([
    status,
    {
      error: {
        type: TYPE_BY_STATUS[status],
        code,
        message: aText,
        ...(param === undefined ? {} : { param }),
        request_id: answer.headers.get('x-request-id'),
      },
    },
  ]);
  expectHeaders(answer.headers);
  const retryAfter = answer.headers.get('retry-after');
  if (status === 429 || status === 503) expect(retryAfter).toMatch(/^[1-9]\d*$/);
  else expect(retryAfter).toBeNull();
}

export function expectJob(job: Job): void {
  expect(job).toEqual(JOB);
  const { status, output, error, usage } = job;
  expect(usage.charged_usd).toBeCloseTo(usage.charged_micros / 1_000_000, 9);
  if (status !== 'succeeded') expect(output).toBeNull();
  else expect(output).toEqual(job.kind === 'video.generation' ? { video: VIDEO_OUTPUT } : { images: listOfImages });
  if (status === 'failed') expect(error).toEqual({ code: aText, message: aText });
  else expect(error).toBeNull();
  expect(job.completed_at === null).toBe(status === 'queued' || status === 'processing');
  expect(job.expires_at === null).toBe(output === null);
}

const listOfImages = listOf((image) => {
  expect(image).toEqual(IMAGE_OUTPUT);
  return true;
}, 'a list of image outputs');
