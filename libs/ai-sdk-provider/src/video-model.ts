import { type Experimental_VideoModelV3, type Experimental_VideoModelV3CallOptions } from '@ai-sdk/provider';
import type { Kinora, VideoGeneration } from '@kinora/client';
import { InvalidRequestError } from '@kinora/client';
import { toSource } from './image-model';
import { readOptions } from './provider-options';

export type KinoraVideoModel = Experimental_VideoModelV3;

/** A video model of the catalog: a video that begins with an image. */
export function createVideoModel(client: Kinora, modelId: string): KinoraVideoModel {
  return {
    specificationVersion: 'v3',
    provider: 'kinora',
    modelId,
    maxVideosPerCall: 1,
    async doGenerate(call) {
      const { fields, options } = readOptions(call);
      const { prompt, duration, seed } = call;
      const request = { model: modelId, image: toSource(firstFrameOf(call)), prompt, duration, seed, ...fields };
      const job = await client.videos.generate(withoutUndefined(request) as VideoGeneration, options);
      const { video } = job.output;
      return {
        videos: [{ type: 'binary', data: await client.download(video), mediaType: video.mime }],
        warnings: warningsOf(call),
        providerMetadata: { kinora: { job_id: job.id, charged_usd: job.usage.charged_usd, url: video.url } },
        response: { timestamp: new Date(job.created_at), modelId: job.model, headers: undefined },
      };
    },
  };
}

type Call = Experimental_VideoModelV3CallOptions;

/** @throws InvalidRequestError without an image */
function firstFrameOf({ image, frameImages, inputReferences }: Call) {
  const frame =
    image ?? frameImages?.find(({ frameType }) => frameType === 'first_frame')?.image ?? inputReferences?.[0];
  if (!frame) throw new InvalidRequestError('A video begins with an image: pass one.');
  return frame.type === 'url' ? { mediaType: 'image/png', ...frame } : frame;
}

/** The size, the aspect ratio and the frame rate follow the image and the model. */
function warningsOf(call: Call): { type: 'unsupported'; feature: string }[] {
  const ignored = ['aspectRatio', 'resolution', 'fps', 'generateAudio'] as const;
  return ignored.flatMap((feature) => (call[feature] === undefined ? [] : [{ type: 'unsupported', feature }]));
}

function withoutUndefined(request: object): object {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
}
