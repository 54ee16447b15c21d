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

type WithoutPayer<Request> = Request extends unknown ? Omit<Request, 'account_id' | 'api_key_id'> : never;

/** Takes the place of an image that a quote leaves out; it passes the rule of its field and is never read. */
const PLACEHOLDER = 'https://image.example/left-out.png';

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
      const body = readBodyAs(ImageEditBody, request);
      assertPublicUrls(body, allow);
      const isLeftOut = body.image === undefined && body.images === undefined;
      return { kind, input: toClientInput(body), image_count: isLeftOut ? 1 : toImageSources(body).length };
    }
    case 'video.generation': {
      const body = readBodyAs(VideoGenerationBody, { image: PLACEHOLDER, ...request });
      assertPublicUrls(body, allow);
      return { kind, input: toClientInput(body), image_count: 1 };
    }
  }
}
