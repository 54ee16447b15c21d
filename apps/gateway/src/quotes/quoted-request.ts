import type { Operation } from '@kinora/contracts/catalog/catalog.rpc';
import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import type { QuotePriceRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import type { EgressAllowList } from '@kinora/egress';
import { readBodyAs } from '../http/read-fields';
import { toImageSources } from '../image-input/image-source';
import { toClientInput } from '../jobs/job-post';
import { assertPublicUrls } from '../jobs/public-urls';
import { PLACEHOLDER, takeStatedImages } from './stated-images';

type WithoutPayer<Request> = Request extends unknown ? Omit<Request, 'account_id' | 'api_key_id'> : never;

/** The request of a quote, by the field rules of its creation. @throws ApiError invalid_body */
export function toQuotedRequest(
  kind: Operation,
  request: Record<string, unknown>,
  allow: EgressAllowList,
): WithoutPayer<QuotePriceRequest> {
  switch (kind) {
    case 'image.generation': {
      const body = readBodyAs(ImageGenerationBody, request);
      assertPublicUrls(body, allow);
      return { kind, input: toClientInput(body) };
    }
    case 'image.edit': {
      const { request: plain, sides } = takeStatedImages(request);
      const body = readBodyAs(ImageEditBody, plain);
      assertPublicUrls(body, allow);
      const isLeftOut = body.image === undefined && body.images === undefined;
      const sources = isLeftOut ? [{ param: 'image' }] : toImageSources(body);
      const first_image = sides.get(sources[0]?.param ?? '');
      return { kind, input: toClientInput(body), image_count: sources.length, ...(first_image && { first_image }) };
    }
    case 'video.generation': {
      const { request: plain, sides } = takeStatedImages(request);
      const body = readBodyAs(VideoGenerationBody, { ...plain, image: plain['image'] ?? PLACEHOLDER });
      assertPublicUrls(body, allow);
      const first_image = sides.get('image');
      return { kind, input: toClientInput(body), image_count: 1, ...(first_image && { first_image }) };
    }
  }
}
