import { type WaitOptions, succeeded, waitForJob } from './job-wait';
import { toImageField } from './image-source';
import { InvalidRequestError, KinoraError } from './errors';
import { randomId } from './platform';
import {
  type ImageEdit,
  type ImageGeneration,
  type ImageJob,
  type Job,
  type SucceededJob,
  type VideoGeneration,
  type VideoJob,
  isEnded,
} from './resources';
import type { CallOptions, Transport } from './transport';

export interface CreateOptions extends CallOptions {
  /** The id of a quote, whose price then applies. */
  quote?: string | undefined;
}

/** `timeout` is that of the wait. */
export interface GenerateOptions extends CreateOptions, Omit<WaitOptions, keyof CallOptions> {}

export class Images {
  constructor(private readonly transport: Transport) {}

  /** Creates the job, waits for it, and returns it once it has succeeded. @throws JobFailedError, JobPendingError */
  async generate(body: ImageGeneration, options?: GenerateOptions): Promise<ImageJob> {
    return (await generate(this.transport, '/images/generations', body, options)) as ImageJob;
  }

  /** Creates the job and returns it as it then is. */
  async create(body: ImageGeneration, options?: CreateOptions): Promise<Job> {
    return await create(this.transport, '/images/generations', body, options);
  }

  /** Like `generate`, from one to three images. */
  async edit(body: ImageEdit, options?: GenerateOptions): Promise<ImageJob> {
    return (await generate(this.transport, '/images/edits', body, options)) as ImageJob;
  }

  /** Like `create`, from one to three images. */
  async createEdit(body: ImageEdit, options?: CreateOptions): Promise<Job> {
    return await create(this.transport, '/images/edits', body, options);
  }
}

export class Videos {
  constructor(private readonly transport: Transport) {}

  /** Creates the job, waits for it, and returns it once it has succeeded. @throws JobFailedError, JobPendingError */
  async generate(body: VideoGeneration, options?: GenerateOptions): Promise<VideoJob> {
    return (await generate(this.transport, '/videos/generations', body, options)) as VideoJob;
  }

  /** Creates the job and returns it as it then is. */
  async create(body: VideoGeneration, options?: CreateOptions): Promise<Job> {
    return await create(this.transport, '/videos/generations', body, options);
  }
}

type CreationBody = ImageGeneration | ImageEdit | VideoGeneration;

async function generate(
  transport: Transport,
  path: string,
  body: CreationBody,
  options: GenerateOptions = {},
): Promise<SucceededJob> {
  // Fixed before the first request, so that a wait that fails knows it.
  const idempotencyKey = keyOf(options);
  const job = await create(transport, path, body, { ...options, idempotencyKey, timeout: undefined });
  return isEnded(job) ? succeeded(job, idempotencyKey) : await waitForJob(transport, job.id, options, idempotencyKey);
}

/** Sends the same bytes with the same key in every attempt, so that they make one job. */
async function create(
  transport: Transport,
  path: string,
  body: CreationBody,
  options: CreateOptions = {},
): Promise<Job> {
  const idempotencyKey = keyOf(options);
  const headers = options.quote === undefined ? {} : { 'x-service-quote': options.quote };
  try {
    const sent = await withImages(body);
    return await transport.request<Job>({ method: 'POST', path, body: sent, headers, idempotencyKey }, options);
  } catch (error) {
    if (error instanceof KinoraError) error.idempotencyKey = idempotencyKey;
    throw error;
  }
}

/** An empty key is refused and not replaced: a program that lost its key must not pay twice. */
function keyOf({ idempotencyKey = randomId() }: CreateOptions): string {
  if (/^[!-~]{1,255}$/.test(idempotencyKey)) return idempotencyKey;
  throw new InvalidRequestError('An idempotency key has 1 to 255 visible ASCII characters.', {
    ...{ type: 'invalid_request_error', code: 'invalid_idempotency_key', param: 'Idempotency-Key' },
  });
}

async function withImages(body: CreationBody): Promise<object> {
  const { image, images, ...rest } = body as ImageEdit;
  return {
    ...rest,
    ...(image !== undefined && { image: await toImageField(image, 'image') }),
    ...(images !== undefined && {
      images: await Promise.all(images.map((source, index) => toImageField(source, `images[${index}]`))),
    }),
  };
}
