import {
  type ImageModelV3,
  type ImageModelV3CallOptions,
  type ImageModelV3File,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import type { ImageGeneration, ImageJob, Kinora } from '@kinora/client';
import { readOptions } from './provider-options';

/** Images of one job, `max_n` of a model's capabilities. */
const MAX_IMAGES = 4;

/** An image model of the catalog. Retries and waiting are the client's; a call is one job. */
export function createImageModel(client: Kinora, modelId: string): ImageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'kinora',
    modelId,
    maxImagesPerCall: MAX_IMAGES,
    async doGenerate(call) {
      const job = await generate(client, modelId, call);
      const images = await Promise.all(job.output.images.map((image) => client.download(image)));
      const { id, usage, output } = job;
      return {
        images,
        warnings: [],
        // Per image, because the AI SDK keeps nothing else of a call.
        providerMetadata: {
          kinora: {
            images: output.images.map(({ url, mime, width, height, seed }) => ({
              ...{ job_id: id, charged_usd: usage.charged_usd / output.images.length },
              ...{ url, mime, width, height, seed },
            })),
          },
        },
        response: { timestamp: new Date(job.created_at), modelId: job.model, headers: undefined },
      };
    },
  };
}

/** With files it is an edit. @throws UnsupportedFunctionalityError for a mask, and for several images of one edit */
async function generate(client: Kinora, model: string, call: ImageModelV3CallOptions): Promise<ImageJob> {
  const { prompt = '', n, size, aspectRatio, seed, files, mask } = call;
  const { fields, options } = readOptions(call);
  if (mask) throw new UnsupportedFunctionalityError({ functionality: 'a mask' });
  const request = { model, prompt, ...(size && { size }), ...(seed !== undefined && { seed }), ...fields };
  if (!files?.length) {
    const body = { ...request, n, ...(aspectRatio && !size && { aspect_ratio: aspectRatio }) };
    return await client.images.generate(body as ImageGeneration, options);
  }
  if (n > 1) throw new UnsupportedFunctionalityError({ functionality: 'several images of one edit' });
  return await client.images.edit({ ...request, images: files.map(toSource) }, options);
}

/** The file as the API takes it: an address, or its bytes as a data URI. */
export function toSource(file: ImageModelV3File): string | Uint8Array {
  if (file.type === 'url') return file.url;
  if (typeof file.data !== 'string') return file.data;
  return file.data.startsWith('data:') ? file.data : `data:${file.mediaType};base64,${file.data}`;
}
