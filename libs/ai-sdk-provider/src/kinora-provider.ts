import { type ImageModelV3, NoSuchModelError, type ProviderV3 } from '@ai-sdk/provider';
import { type ClientOptions, Kinora } from '@kinora/client';
import { type KinoraVideoModel, createVideoModel } from './video-model';
import { createImageModel } from './image-model';

export interface KinoraProvider extends ProviderV3 {
  (modelId: string): ImageModelV3;
  image: (modelId: string) => ImageModelV3;
  video: (modelId: string) => KinoraVideoModel;
  /** The client that the models use, for everything that the AI SDK has no word for. */
  client: Kinora;
}

/** A provider for the AI SDK, with the options of the client. The models of the catalog are its models. */
export function createKinora(options: ClientOptions = {}): KinoraProvider {
  const client = new Kinora(options);
  const image = (modelId: string): ImageModelV3 => createImageModel(client, modelId);
  return Object.assign((modelId: string) => image(modelId), {
    specificationVersion: 'v3' as const,
    client,
    image,
    imageModel: image,
    video: (modelId: string) => createVideoModel(client, modelId),
    languageModel: (modelId: string): never => refuse(modelId, 'languageModel'),
    embeddingModel: (modelId: string): never => refuse(modelId, 'embeddingModel'),
  });
}

function refuse(modelId: string, modelType: 'languageModel' | 'embeddingModel'): never {
  throw new NoSuchModelError({ modelId, modelType });
}
