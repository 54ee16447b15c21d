import type { OutputFormat } from '@kinora/contracts/jobs/job-choices';
import type { Integer } from '@kinora/contracts/shared/scalars';
import { Form } from '../http/multipart/form';

// The fields that OpenAI has, as the reference describes them. The translations read them, and refuse other values. They are those
// of `openai` 7.57.0 (npm) and 3.57.0 (PyPI), and those of releases before.

/** A file of a form.
 * @format binary
 */
export type FormFile = string;

/** Accepted and without effect: the header `X-Kinora-Ignored` names those that were sent. */
export interface IgnoredFields {
  /** Ignored. */
  quality?: string | null;
  /** Ignored. */
  style?: string | null;
  /** Ignored. */
  background?: string | null;
  /** Ignored: moderation cannot be changed. */
  moderation?: string | null;
  /** Ignored. */
  user?: string | null;
  /** Ignored. */
  output_compression?: Integer | null;
  /** Ignored: a stream has completed images only. */
  partial_images?: Integer | null;
  /** Ignored. */
  input_fidelity?: string | null;
  /** Ignored. */
  safety_identifier?: string | null;
  /** Ignored. */
  store?: boolean | null;
  /** Ignored. */
  complexity?: string | null;
}

/** The names of `IgnoredFields`. Every other field without an equal of /v1 would change the content, and is refused. */
export const IGNORED: readonly string[] = Object.keys({
  quality: true,
  style: true,
  background: true,
  moderation: true,
  user: true,
  output_compression: true,
  partial_images: true,
  input_fidelity: true,
  safety_identifier: true,
  store: true,
  complexity: true,
} satisfies Record<keyof IgnoredFields, true>);

interface ImageFields extends IgnoredFields {
  /**
   * How the images come: in base64, or as signed URLs. A stream is always in base64.
   * @default "b64_json"
   */
  response_format?: 'b64_json' | 'url' | null;
  /**
   * Whether the answer is an event stream with one event for each completed image.
   * @default false
   */
  stream?: boolean | null;
  /**
   * `auto` is the first size that the model lists; any other WxH becomes the listed size with the nearest ratio.
   * @default "auto"
   */
  size?: string | null;
}

/** The request for images. */
export interface OpenAiImageRequest extends ImageFields {
  /**
   * The id of a model that can do `t2i`, or an alias of one.
   * @default "general-image"
   */
  model?: string | null;
  /**
   * How many images, at most the maximum of the model.
   * @default 1
   * @minimum 1
   */
  n?: Integer | null;
  /**
   * The file type of the images.
   * @default "png"
   */
  output_format?: OutputFormat | null;
}

/** The request for an edit, a form. An object such as `metadata` is sent as `metadata[key]`. */
export interface OpenAiEditForm extends ImageFields {
  /** One to three files, each as `image` or as `image[]`. */
  image: FormFile[];
  /**
   * The id of a model that can do `edit`, or an alias of one.
   * @default "image-edit"
   */
  model?: string;
  /**
   * An edit makes one image.
   * @default 1
   */
  n?: 1;
  /**
   * The file type of the image.
   * @default "png"
   */
  output_format?: OutputFormat;
}

/** The request for a video, as JSON. */
export interface OpenAiVideoRequest extends IgnoredFields, VideoFields {
  /** The start frame. */
  input_reference: VideoReference;
}

/** The request for a video, as a form. An object such as `metadata` is sent as `metadata[key]`. */
export interface OpenAiVideoForm extends IgnoredFields, VideoFields {
  /** The start frame as a file; or else `input_reference[image_url]`. */
  input_reference?: FormFile;
  /** The start frame as a https URL or a data URI; or else `input_reference`. */
  'input_reference[image_url]'?: string;
}

/** The start frame of a video. */
interface VideoReference {
  /** A public https URL, or a data URI in base64: PNG, JPEG or WebP, at most 10 MiB, 64 to 4096 pixels a side. */
  image_url: string;
}

interface VideoFields {
  /**
   * The id of a model that can do `i2v`, or an alias of one.
   * @default "image-to-video"
   */
  model?: string | null;
  /**
   * The duration; one of those of the model. A number is accepted too.
   * @default "5"
   */
  seconds?: '5' | '8' | 5 | 8 | null;
  /**
   * The video keeps the ratio of its start frame, and the model determines its resolution. A size with another ratio than the start frame is
   * 400, and so is one that the start frame is too small for; `auto` always fits.
   * @default "auto"
   */
  size?: string | null;
}

/** The fields that are no texts in JSON. */
export interface FieldTypes {
  numbers?: readonly string[];
  booleans?: readonly string[];
}

/**
 * The fields of a form as JSON would have them, and files as lists of their bytes. A text that is no number or boolean stays, and the
 * validation of the body refuses it. Any other body stays as it is.
 */
export function toFields(received: unknown, { numbers = [], booleans = [] }: FieldTypes): unknown {
  if (!(received instanceof Form)) return received;
  const fields = [...received.values].map(([name, value]) => {
    if (value instanceof Map) return [name, Object.fromEntries(value as Map<string, string>)];
    if (typeof value !== 'string') return [name, value];
    if (numbers.includes(name) && NUMBER.test(value)) return [name, Number(value)];
    return [name, booleans.includes(name) && BOOLEAN.test(value) ? value === 'true' : value];
  });
  return Object.fromEntries(fields);
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const BOOLEAN = /^(?:true|false)$/;
