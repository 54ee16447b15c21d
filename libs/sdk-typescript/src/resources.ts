import type { components } from './api-types';

type Schemas = components['schemas'];

export type Account = Schemas['Account'];
export type Appeal = Schemas['Appeal'];
export type ApiKey = Schemas['ApiKey'];
export type DeletedApiKey = Schemas['DeletedApiKey'];
export type ImageOutput = Schemas['ImageOutput'];
export type IssuedApiKey = Schemas['IssuedApiKey'];
export type IssuedWebhookSecret = Schemas['IssuedWebhookSecret'];
export type Job = Schemas['Job'];
export type JobProgress = Schemas['JobProgress'];
export type Lora = Schemas['Lora'];
export type Model = Schemas['Model'];
export type NewKey = Schemas['CreateAccountKeyBody'];
export type Ping = Schemas['Ping'];
export type ProvenanceCheck = Schemas['ProvenanceCheck'];
export type Quote = Schemas['Quote'];
export type Receipt = Schemas['Receipt'];
export type AccountStatementList = Schemas['AccountStatementList'];
export type StatementEntry = Schemas['StatementEntry'];
export type Usage = Schemas['Usage'];
export type VideoOutput = Schemas['VideoOutput'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveryDetails = Schemas['WebhookDeliveryDetails'];
export type WebhookEvent = Schemas['WebhookEvent'];

/** A job that has succeeded. */
export type SucceededJob = Job & { status: 'succeeded'; output: NonNullable<Job['output']> };
/** A job with at least one image, as `images.generate` and `images.edit` return it. */
export type ImageJob = SucceededJob & { output: { images: [ImageOutput, ...ImageOutput[]] } };
/** A job with a video, as `videos.generate` returns it. */
export type VideoJob = SucceededJob & { output: { video: VideoOutput } };

/**
 * Where an image comes from: a URL or data URI (sent as it is), the path of a file, its bytes, or a stream of them. A text that is
 * neither URL nor data URI is a path on this machine, so never pass a text of your own users unchecked.
 */
export type ImageSource =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

export type ImageGeneration = Schemas['ImageGenerationBody'];
export type ImageEdit = Omit<Schemas['ImageEditBody'], 'image' | 'images'> & {
  image?: ImageSource;
  images?: ImageSource[];
};
export type VideoGeneration = Omit<Schemas['VideoGenerationBody'], 'image'> & { image: ImageSource };
/** The sides of an image in pixels, which stand for it in the request of a quote. */
export interface ImageSides {
  width: number;
  height: number;
}
/** The request of a quote. Images may be left out; where the price depends on the size, it follows from the sides of the first one. */
export type QuoteRequest =
  | { operation: 'images.generations'; request: ImageGeneration }
  | {
      operation: 'images.edits';
      request: Omit<ImageEdit, 'image' | 'images'> & { image?: ImageSides; images?: ImageSides[] };
    }
  | { operation: 'videos.generations'; request: Omit<VideoGeneration, 'image'> & { image?: ImageSides } };

export function isEnded({ status }: Job): boolean {
  return status !== 'queued' && status !== 'processing';
}
