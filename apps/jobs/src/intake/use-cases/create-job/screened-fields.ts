import type { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import type { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import type { LoraBody, VideoLoraBody } from '@kinora/contracts/jobs/job.body';
import type { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';

/** Why a field need not be screened: it holds no text that a model could read or an image could show. */
interface NotText {
  notText: string;
}

/** How moderation screens each field of a body. A missing field is a compile error. */
export type Screening<Body> = {
  readonly [Field in keyof Required<Body>]: FieldScreening<NonNullable<Body[Field]>>;
};

type FieldScreening<Value> = Value extends string
  ? 'text' | NotText
  : Value extends readonly (infer Item extends object)[]
    ? 'image' | { readonly [Field in keyof Required<Item>]: NotText }
    : 'image' | NotText;

const CATALOG_ID = { notText: 'An id of the catalog.' };
const BOUNDED_WORD = { notText: 'One of the values that the contract lists.' };
const NUMBER = { notText: 'A number.' };
const SIZE = { notText: 'Two numbers.' };
const ADDRESS = { notText: 'An address. It does not describe the content.' };
const COMMON = {
  model: CATALOG_ID,
  seed: NUMBER,
  webhook_url: { notText: 'An address that receives the terminal event. It is not sent to a model.' },
  metadata: { notText: 'It is only returned to the client, and not sent to a model.' },
} as const;
const LORA = { id: CATALOG_ID, url: ADDRESS, strength: NUMBER } satisfies Record<keyof LoraBody, NotText>;
const VIDEO_LORA = { ...LORA, low_url: ADDRESS } satisfies Record<keyof VideoLoraBody, NotText>;

export const SCREENED_FIELDS = {
  'image.generation': {
    ...COMMON,
    prompt: 'text',
    negative_prompt: 'text',
    size: SIZE,
    aspect_ratio: BOUNDED_WORD,
    n: NUMBER,
    steps: NUMBER,
    guidance: NUMBER,
    loras: LORA,
    output_format: BOUNDED_WORD,
  },
  'image.edit': {
    ...COMMON,
    prompt: 'text',
    negative_prompt: 'text',
    image: 'image',
    images: 'image',
    size: SIZE,
    output_format: BOUNDED_WORD,
  },
  'video.generation': {
    ...COMMON,
    prompt: 'text',
    negative_prompt: 'text',
    image: 'image',
    duration: NUMBER,
    loras: VIDEO_LORA,
  },
} as const satisfies {
  'image.generation': Screening<ImageGenerationBody>;
  'image.edit': Screening<ImageEditBody>;
  'video.generation': Screening<VideoGenerationBody>;
};

type Kind = keyof typeof SCREENED_FIELDS;

export type TextField<OfKind extends Kind> = {
  [Field in keyof (typeof SCREENED_FIELDS)[OfKind]]: (typeof SCREENED_FIELDS)[OfKind][Field] extends 'text'
    ? Field
    : never;
}[keyof (typeof SCREENED_FIELDS)[OfKind]] &
  string;

/** In the order of the table, which is the order of the errors for the client. */
export function textFieldsOf<OfKind extends Kind>(kind: OfKind): TextField<OfKind>[] {
  const entries = Object.entries(SCREENED_FIELDS[kind]) as [TextField<OfKind>, unknown][];
  return entries.filter(([, screening]) => screening === 'text').map(([field]) => field);
}
