import { DEFAULT_MODEL } from '@kinora/contracts/jobs/job-choices';
import { ApiError } from '@kinora/contracts/shared/errors';
import { fieldRefusal } from '../http/error-answer';
import { toFields } from './openai-bodies';
import type { OfferedNames } from './openai-models';
import { type TranslatedBody, readOpenAiFields, translateModel, translateSize } from './to-image-generation';

/** As many as /v1 takes. */
const IMAGES_MAX = 3;

/** The body of POST /images/edits as /v1 takes it, of a form. Every other field is passed on, so /v1 validates it. */
export function toImageEdit(received: unknown, offered: OfferedNames): TranslatedBody {
  const { fields, ...translated } = readOpenAiFields(
    toFields(received, { numbers: ['n', 'seed'], booleans: ['stream'] }),
  );
  const { image, images, mask, n = 1, size, ...body } = fields;
  // An edit of the whole image would look as if the mask had worked.
  if (mask !== undefined)
    throw fieldRefusal('mask', 'is not supported: an edit changes the image as a whole. Leave it out');
  if (images !== undefined) throw fieldRefusal('images', 'is not known. Send each file as image or as image[]');
  if (n !== 1) throw fieldRefusal('n', 'must be 1: an edit makes one image');
  const model = translateModel(body, offered, 'image.edit');
  return {
    ...translated,
    body: {
      ...body,
      ...(model === undefined ? {} : { model }),
      ...translateSize(size, offered, model ?? DEFAULT_MODEL['image.edit']),
      ...toImages(image),
    },
  };
}

/** An error about one of several images, under the name that the form has for it. */
export function withImageName(error: unknown): unknown {
  if (!(error instanceof ApiError) || !error.param?.startsWith('images')) return error;
  const payload = error.toPayload();
  const [param, message] = [error.param, error.message].map((text) => text.replace(/^images\b/, 'image'));
  return ApiError.fromPayload({
    ...payload,
    ...(message !== undefined && { message }),
    ...(param !== undefined && { param }),
  });
}

function toImages(image: unknown): { image: unknown } | { images: unknown[] } {
  const files: unknown[] | null = Array.isArray(image) ? image : null;
  if (!files?.every((file) => Buffer.isBuffer(file))) throw fieldRefusal('image', 'is required, as one to three files');
  if (files.length > IMAGES_MAX) throw fieldRefusal('image', `must be at most ${IMAGES_MAX} files`);
  const [only, second] = files;
  return second ? { images: files } : { image: only };
}
