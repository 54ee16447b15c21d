import { DEFAULT_MODEL } from '@kinora/contracts/jobs/job-choices';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/texts';
import { fieldRefusal } from '../http/error-answer';
import { IGNORED } from './openai-bodies';
import { type OfferedNames, toModelId } from './openai-models';

const SIZE = /^(\d{1,5})x(\d{1,5})$/;

interface Sides {
  width: number;
  height: number;
}

/**
 * The listed size whose ratio is nearest on a logarithmic scale, and of equal ones the nearest in area. A listed size stays as it
 * is, and so does a text that is no size, which the validation of the body then refuses.
 */
export function nearestSize(size: string, listed: readonly string[]): string {
  const wanted = sidesOf(size);
  if (!wanted || listed.includes(size)) return size;
  const [nearest = size] = [...listed].sort(
    (one, other) =>
      ratioDistance(wanted, sidesOf(one)) - ratioDistance(wanted, sidesOf(other)) ||
      areaDistance(wanted, sidesOf(one)) - areaDistance(wanted, sidesOf(other)),
  );
  return nearest;
}

function sidesOf(size: string): Sides | null {
  const [, width = 0, height = 0] = (SIZE.exec(size) ?? []).map(Number);
  return width > 0 && height > 0 ? { width, height } : null;
}

function ratioDistance(wanted: Sides, listed: Sides | null): number {
  if (!listed) return Infinity;
  const distance = Math.abs(Math.log((wanted.width * listed.height) / (wanted.height * listed.width)));
  // Equal ratios differ by rounding, and the area then decides.
  return Math.round(distance * 1e9);
}

function areaDistance(wanted: Sides, listed: Sides | null): number {
  if (!listed) return Infinity;
  return Math.abs(Math.log((wanted.width * wanted.height) / (listed.width * listed.height)));
}

/** OpenAI takes null for its optional fields. */
const NULLABLE = ['model', 'n', 'size', 'output_format', 'response_format', 'stream', ...IGNORED];

/** OpenAI answers requests for these models with URLs, unless they say otherwise. */
const ANSWERED_WITH_URLS: readonly unknown[] = ['dall-e-2', 'dall-e-3'];

/** How the client wants its images. */
export interface ImageDelivery {
  responseFormat: 'b64_json' | 'url';
  stream: boolean;
}

export interface TranslatedBody extends ImageDelivery {
  /** The body for the same operation of /v1, not yet validated. */
  body: Record<string, unknown>;
  /** The fields that were sent and change nothing. */
  ignored: string[];
}

/** The body of POST /images/generations as /v1 takes it. Every other field is passed on, so /v1 validates it. */
export function toImageGeneration(received: unknown, offered: OfferedNames): TranslatedBody {
  const { fields, ...translated } = readOpenAiFields(received);
  const model = translateModel(fields, offered, 'image.generation');
  const { size, ...body } = fields;
  return {
    ...translated,
    body: {
      ...body,
      ...(model === undefined ? {} : { model }),
      ...translateSize(size, offered, model ?? DEFAULT_MODEL['image.generation']),
    },
  };
}

/** Takes out what only OpenAI's API knows. @throws ApiError invalid_body */
export function readOpenAiFields(
  received: unknown,
): Omit<TranslatedBody, 'body'> & { fields: Record<string, unknown> } {
  if (!isRecord(received)) throw new ApiError('invalid_body', 'The body must be a JSON object.');
  const given = Object.fromEntries(
    Object.entries(received).filter(([name, value]) => value !== null || !NULLABLE.includes(name)),
  );
  const inUrls = ANSWERED_WITH_URLS.includes(given['model']);
  const { response_format = inUrls ? 'url' : 'b64_json', stream = false, ...rest } = given;
  if (response_format !== 'b64_json' && response_format !== 'url')
    throw fieldRefusal('response_format', 'must be b64_json or url');
  if (typeof stream !== 'boolean') throw fieldRefusal('stream', 'must be true or false');
  const fields = Object.fromEntries(Object.entries(rest).filter(([name]) => !IGNORED.includes(name)));
  const ignored = IGNORED.filter((name) => Object.hasOwn(rest, name));
  return { responseFormat: response_format, stream, ignored, fields };
}

/** The model's id where a name is given; a value that is no text stays, and the validation of the body refuses it. */
export function translateModel(
  { model }: Record<string, unknown>,
  { aliases }: OfferedNames,
  operation: Parameters<typeof toModelId>[1],
): unknown {
  return typeof model === 'string' ? toModelId(model, operation, aliases) : model;
}

/** The size that is listed for the model and nearest; none for the default of the model. */
export function translateSize(size: unknown, { models }: OfferedNames, model: unknown): { size?: unknown } {
  if (size === undefined || size === 'auto') return {};
  const listed = models.find(({ id }) => id === model)?.capabilities.sizes ?? [];
  return { size: typeof size === 'string' ? nearestSize(size, listed) : size };
}
