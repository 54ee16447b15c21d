import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import type { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import type { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import type { ImageEditWish, StoredImage, VideoGenerationWish } from '@kinora/contracts/jobs/job-inputs';
import type { JobBody } from '@kinora/contracts/jobs/job.body';
import type { CreateJobRequest, Idempotency, QuoteRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';

/** The one mapping inwards: from what a client sent, judged, to what jobs is asked. */
export function toImageGenerationRequest(
  body: ImageGenerationBody,
  caller: Admission,
  idempotency: Idempotency | undefined,
): CreateJobRequest {
  const { webhook_url: _url, metadata: _metadata, ...input } = body;
  return { kind: 'image.generation', input, ...commonPart(body, caller, idempotency) };
}

export function toImageEditRequest(
  body: ImageEditBody,
  images: StoredImage[],
  caller: Admission,
  idempotency: Idempotency | undefined,
): CreateJobRequest {
  return { kind: 'image.edit', input: toImageEditWish(body), images, ...commonPart(body, caller, idempotency) };
}

export function toImageEditWish(body: ImageEditBody): ImageEditWish {
  const { image: _image, images: _images, webhook_url: _url, metadata: _metadata, ...wish } = body;
  return wish;
}

export function toVideoGenerationRequest(
  body: VideoGenerationBody,
  images: StoredImage[],
  caller: Admission,
  idempotency: Idempotency | undefined,
): CreateJobRequest {
  const input = toVideoGenerationWish(body);
  return { kind: 'video.generation', input, images, ...commonPart(body, caller, idempotency) };
}

export function toVideoGenerationWish(body: VideoGenerationBody): VideoGenerationWish {
  const { image: _image, webhook_url: _url, metadata: _metadata, ...wish } = body;
  return wish;
}

/** Whose balance a quote looks at. */
export function payerOf({ caller }: { caller: Admission }): Pick<QuoteRequest, 'account_id' | 'api_key_id'> {
  return { account_id: caller.account_id, api_key_id: caller.api_key_id };
}

function commonPart(
  { webhook_url, metadata }: JobBody,
  { account_id, api_key_id }: Admission,
  idempotency: Idempotency | undefined,
): Pick<CreateJobRequest, 'account_id' | 'api_key_id' | 'idempotency' | 'webhook_url' | 'metadata'> {
  return {
    account_id,
    api_key_id,
    ...(idempotency && { idempotency }),
    ...(webhook_url !== undefined && { webhook_url }),
    ...(metadata && { metadata }),
  };
}
