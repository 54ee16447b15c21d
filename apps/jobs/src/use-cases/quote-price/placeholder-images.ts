import type { StoredImage } from '@kinora/contracts/jobs/job';
import type { CreateJobRequest, QuotePriceRequest } from '@kinora/contracts/jobs/jobs.rpc';

/** A quote reads no image, so each without stated sides is taken to be of this size, which every model accepts. Its hash is of nothing. */
const PLACEHOLDER: StoredImage = {
  sha256: '',
  width: 1024,
  height: 1024,
  mime: 'image/png',
  object_key: '',
  param: 'image',
};

/** The create request that the quote is about, as far as it is known without its images. */
export function withPlaceholderImages(quoted: QuotePriceRequest): CreateJobRequest {
  if (quoted.kind === 'image.generation') return quoted;
  const { image_count, first_image, ...request } = quoted;
  const images = Array.from({ length: image_count }, (_, index) =>
    index === 0 ? { ...PLACEHOLDER, ...first_image } : PLACEHOLDER,
  );
  // The compiler does not relate the kind of a rest to its input.
  return request.kind === 'image.edit' ? { ...request, images } : { ...request, images };
}
