import { VIDEO_DURATIONS, type VideoDuration } from '@kinora/contracts/jobs/job-choices';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/texts';
import { fieldRefusal } from '../../http/error-answer';
import { IGNORED, toFields } from '../openai-bodies';
import type { OfferedNames } from '../openai-models';
import { translateModel } from '../to-image-generation';

export interface TranslatedVideo {
  /** The body for POST /videos/generations of /v1, not yet validated. */
  body: Record<string, unknown>;
  /** The size that the client expects. */
  wanted: { wanted_size?: string };
  /** The fields that were sent and change nothing. */
  ignored: string[];
}

/** The fields of /v1 that have another name here. */
const RENAMED = { image: 'input_reference', duration: 'seconds' } as const;
/** OpenAI takes null for its optional fields. */
const NULLABLE = ['model', 'seconds', 'size', ...IGNORED];
const SIZE = /^\d{2,4}x\d{2,4}$/;

/** The body of POST /videos, JSON or a form, as /v1 takes it. Every other field is passed on, so /v1 validates it. @throws ApiError invalid_body */
export function toVideoGeneration(received: unknown, offered: OfferedNames): TranslatedVideo {
  const sent = toFields(received, { numbers: ['seed'] });
  if (!isRecord(sent)) throw new ApiError('invalid_body', 'The body must be a JSON object.');
  const given = Object.entries(sent).filter(([name, value]) => value !== null || !NULLABLE.includes(name));
  const {
    input_reference: reference,
    seconds,
    size,
    ...fields
  } = Object.fromEntries(given.filter(([name]) => !IGNORED.includes(name)));
  for (const [name, renamed] of Object.entries(RENAMED))
    if (Object.hasOwn(fields, name)) throw fieldRefusal(name, `is not a field of this operation: send ${renamed}`);
  const model = translateModel(fields, offered, 'video.generation');
  return {
    body: {
      ...fields,
      ...(model === undefined ? {} : { model }),
      ...(seconds === undefined ? {} : { duration: toDuration(seconds) }),
      image: toStartFrame(reference),
    },
    wanted: size === undefined || size === 'auto' ? {} : { wanted_size: toSize(size) },
    ignored: IGNORED.filter((name) => given.some(([each]) => each === name)),
  };
}

/** An error of /v1 about one of its fields, with the name that the client has used. */
export function inOpenAiNames(error: unknown): unknown {
  if (!(error instanceof ApiError) || !isRenamed(error.param)) return error;
  const message = error.message.replace(new RegExp(`^${error.param}\\b`), RENAMED[error.param]);
  return ApiError.fromPayload({ ...error.toPayload(), message, param: RENAMED[error.param] });
}

/** A file of a form, or what an object with a URL names: a https URL, or a data URI, whose bytes may be decoded already. */
function toStartFrame(reference: unknown): unknown {
  if (reference === undefined || reference === null)
    throw fieldRefusal('input_reference', 'is required: videos begin with an image');
  const [file, secondFile] = Array.isArray(reference) ? (reference as unknown[]) : [];
  if (secondFile !== undefined) throw fieldRefusal('input_reference', 'must be one file');
  if (Buffer.isBuffer(file)) return file;
  if (!isRecord(reference)) throw fieldRefusal('input_reference', 'must be a file, or an object with image_url');
  const { image_url: url, ...others } = reference;
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw fieldRefusal(`input_reference.${other}`, 'is not supported: send a file, or image_url');
  if (typeof url !== 'string' && !(url instanceof Uint8Array))
    throw fieldRefusal('input_reference.image_url', 'must be a https URL or a data URI');
  return url;
}

function toDuration(seconds: unknown): VideoDuration {
  const found = VIDEO_DURATIONS.find((each) => each === seconds || String(each) === seconds);
  if (found === undefined) throw fieldRefusal('seconds', `must be one of ${VIDEO_DURATIONS.join(', ')}`);
  return found;
}

function toSize(size: unknown): string {
  if (typeof size !== 'string' || !SIZE.test(size))
    throw fieldRefusal('size', 'must be auto, or a size such as 1280x720');
  return size;
}

function isRenamed(param: string | undefined): param is keyof typeof RENAMED {
  return param !== undefined && Object.hasOwn(RENAMED, param);
}
