import type { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import type { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import type {
  ImageEditInput,
  ImageGenerationInput,
  JobInput,
  JobKind,
  VideoGenerationInput,
} from '@kinora/contracts/jobs/job';
import type { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { isRecord } from '@kinora/contracts/shared/texts';
import type { JobPlan, JobRow } from '../job/job.entity';
import type { PlannedLora } from '../model/resolve-loras';

/** Why a field stays when a client deletes the content of a job: it holds no text or address of the client. */
export interface Kept {
  kept: string;
}

/** Every field that a request or its echo has. */
type Fields<Body, Input> = Omit<Body, keyof Input> & Input;

/** `emptied`: a text that every job of the kind has. `removed`: any other field. */
type Deletion<Value, IsOptional> =
  | Kept
  | (IsOptional extends true ? 'removed' : Value extends string ? 'emptied' : never)
  | (NonNullable<Value> extends readonly (infer Item extends object)[]
      ? { readonly [Field in keyof Required<Item>]: 'removed' | Kept }
      : never);

/** What becomes of each field. A missing field is a compile error, and so is one that cannot be removed. */
export type ContentFields<All> = {
  readonly [Field in keyof Required<All>]: Deletion<All[Field], object extends Pick<All, Field> ? true : false>;
};

const CATALOG_ID = { kept: 'An id of the catalog.' };
const BOUNDED_WORD = { kept: 'One of the values that the contract lists.' };
const NUMBER = { kept: 'A number.' };
const SIZE = { kept: 'Two numbers.' };
const IMAGE = { kept: 'Hash, size and type. The file is deleted.' };
const COMMON = {
  model: CATALOG_ID,
  negative_prompt: 'removed',
  size: SIZE,
  seed: NUMBER,
  // These two have columns of their own, which the statement empties.
  metadata: 'removed',
  webhook_url: 'removed',
} as const;
const LORA = { id: CATALOG_ID, url: 'removed', low_url: 'removed', strength: NUMBER } as const;

export const CONTENT_FIELDS = {
  'image.generation': {
    ...COMMON,
    prompt: 'emptied',
    aspect_ratio: BOUNDED_WORD,
    n: NUMBER,
    steps: NUMBER,
    guidance: NUMBER,
    loras: LORA,
    output_format: BOUNDED_WORD,
  },
  'image.edit': {
    ...COMMON,
    prompt: 'emptied',
    image: IMAGE,
    images: IMAGE,
    n: NUMBER,
    output_format: BOUNDED_WORD,
  },
  'video.generation': {
    ...COMMON,
    prompt: 'removed',
    image: IMAGE,
    images: IMAGE,
    duration: NUMBER,
    loras: LORA,
  },
} as const satisfies {
  'image.generation': ContentFields<Fields<ImageGenerationBody, ImageGenerationInput>>;
  'image.edit': ContentFields<Fields<ImageEditBody, ImageEditInput>>;
  'video.generation': ContentFields<Fields<VideoGenerationBody, VideoGenerationInput>>;
};

/** The rule of a field at run time. A field without a rule, which another release may have stored, is removed. */
export type ContentRule = 'removed' | 'emptied' | Kept | { readonly [field: string]: 'removed' | Kept };

/** No operation creates jobs of the other kinds: all of their fields would be removed. */
export function contentRulesOf(kind: JobKind): Readonly<Record<string, ContentRule>> {
  const rules: Partial<Record<JobKind, Readonly<Record<string, ContentRule>>>> = CONTENT_FIELDS;
  return rules[kind] ?? {};
}

export function isKept(rule: unknown): rule is Kept {
  return typeof rule === 'object' && rule !== null && typeof (rule as Partial<Kept>).kept === 'string';
}

/** What is left of a job without the texts and addresses of its client, by the rules of `CONTENT_FIELDS`. */
export function withoutContent({ kind, input, plan }: Pick<JobRow, 'kind' | 'input' | 'plan'>): {
  input: JobInput;
  plan: JobPlan;
} {
  const rules = contentRulesOf(kind);
  return {
    input: leftOf(input, rules) as JobInput,
    plan: { ...plan, loras: plan.loras.map(leftOfLora) },
  };
}

function leftOf(fields: object, rules: Readonly<Record<string, ContentRule>>): object {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => leftOfField(name, value, rules[name])));
}

function leftOfField(name: string, value: unknown, rule: ContentRule = 'removed'): [string, unknown][] {
  if (rule === 'removed') return [];
  if (rule === 'emptied') return [[name, '']];
  if (isKept(rule)) return [[name, value]];
  const items: unknown[] = Array.isArray(value) ? value : [];
  return [[name, items.filter(isRecord).map((item) => leftOf(item, rule))]];
}

/** The files of a LoRA with an id are the operator's; without one, the client gave their addresses. */
function leftOfLora(lora: PlannedLora): PlannedLora {
  return lora.id === undefined ? { strength: lora.strength } : lora;
}
